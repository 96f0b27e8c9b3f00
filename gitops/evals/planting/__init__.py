"""Errors planted in sound claims, with which a verifier is tested: a module for what is changed, a function a kind."""
