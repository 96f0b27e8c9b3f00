"""What continuous integration calls: a change measured beside its base, what is said of it, and where it lands."""
