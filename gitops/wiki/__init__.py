"""Pages, citations, sources and anchors: pure functions of text. Nothing here reads or writes."""
