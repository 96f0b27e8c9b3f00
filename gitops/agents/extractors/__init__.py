"""Who extracts atoms from sources: by patterns, or by a model."""
