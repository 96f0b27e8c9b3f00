"""Who answers a question: without a model, or with one."""
