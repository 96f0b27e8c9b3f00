"""How often ablations of simulated variants say what is not so, and how often what is."""
