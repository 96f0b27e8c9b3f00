"""One file for each check. A new one needs nothing but its file and its twin in `tests/verify/checks/`."""
