"""How wikis that nobody prepared fare by the metrics of `git assay eval`, each by itself, as a page."""
