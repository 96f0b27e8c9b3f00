"""Checks, findings and the verdict that folds them. Never reaches a repository, a database or a network."""
