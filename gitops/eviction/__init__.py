"""Eviction of context items, and what is learned from what was kept back (silas 19)."""
