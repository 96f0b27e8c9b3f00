"""Brings measurements to the comparison in `stats/`: recalled, paired by their samples, told as plain JSON."""
