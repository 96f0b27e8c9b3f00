"""What the offline judge weighs: words, numbers, names and turns of meaning, read off plain text."""
