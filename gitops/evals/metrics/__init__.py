"""The metrics, a file each: the stem is the id in small letters, and `METRIC` in it is found by `evals/registry.py`."""
