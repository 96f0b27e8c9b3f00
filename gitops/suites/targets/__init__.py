"""What a suite asks its cases: one file for each kind of target, behind the protocol in `suites/target.py`."""
