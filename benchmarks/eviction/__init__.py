"""Whether calibrated eviction keeps more of what simulated conversations need: `python -m benchmarks.eviction`."""
