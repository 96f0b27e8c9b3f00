"""Trains the offline judge's weights and measures it: `python -m benchmarks.judge.train CLAIMS`."""
