"""What judges that ask a model share: text fenced as data, excerpts of sources, requests, answers read strictly."""
