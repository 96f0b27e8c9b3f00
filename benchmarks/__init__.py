"""How fast it is: each module that has `run` is a benchmark, measured as ratios against a floor in one run."""
