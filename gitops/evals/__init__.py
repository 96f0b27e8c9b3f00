"""What is measured: every result is a measurement in the notes of the commit that was measured."""
