"""How often runs of a simulated system that did not change are called worse, and how often one that did."""
