"""A cellar in which cheese ripens: what is how old, and what has to be done to it when."""
