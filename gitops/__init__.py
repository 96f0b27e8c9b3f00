"""git-assay: no claim lands in a knowledge base unless its source says so."""

__version__ = "0.1.0"
