"""Bytes that nobody would write, against what reads them: nothing may raise, and every place must lie in its page."""
