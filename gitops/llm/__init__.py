"""Models: the Anthropic SDK, what calls cost and used, recorded answers. Knows neither git nor SQLite."""
