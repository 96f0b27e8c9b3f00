"""The local SQLite databases: an index rebuilt from notes that decides nothing, and a cache that may be deleted."""
