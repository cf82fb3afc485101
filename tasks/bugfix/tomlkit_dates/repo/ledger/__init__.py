"""The dairy board's own reckoning, against which a cellar is audited."""
