"""How the offline answerer reads a question and weighs sentences against it."""
