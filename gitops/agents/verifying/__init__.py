"""The verifier agent: what it is told, what it is shown of the change, and how its votes are taken."""
