"""What came into the wiki since last time, put together on one page."""
