"""Runs: staged write transactions on branches, their landing, and the records they leave in git notes."""
