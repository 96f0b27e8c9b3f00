"""The judge that holds outputs to criteria by asking a model (`verify/criteria.py` says what such a judge is)."""
