"""Benchmarks of agents and skills (silas 20): suites, targets, runs, regressions, ablations."""
