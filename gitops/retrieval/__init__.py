"""How well what is asked for is found: golden queries, results of any retrieval system, metrics, two runs compared."""
