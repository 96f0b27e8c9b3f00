"""Who writes, answers and verifies with a model or without one: judges, the agent loop, the workflows."""
