"""Who writes pages from sources: the offline writer from the source's own sentences, Claude with tools."""
