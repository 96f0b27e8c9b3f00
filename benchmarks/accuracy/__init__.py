"""How right it is: references drawn at random from real wikis and labelled by hand, and the defects found in them."""
