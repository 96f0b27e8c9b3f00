"""Intervals, pairing, comparison: numbers from numbers, which know neither a wiki nor a repository."""
