"""Is what was extracted right, linked and honestly grounded? Atoms scored against gold (dossier DEC-0009)."""
