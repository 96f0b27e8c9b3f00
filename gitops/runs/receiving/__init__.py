"""What a push brings, judged where it arrives and before it is taken: the gate of a repository that others push to."""
