"""What an agent may look at: functions from a shelf and some arguments to words. Nothing here can write."""
