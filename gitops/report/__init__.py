"""Words, tables and SARIF made from finished results. Nothing here computes a number or decides anything."""
