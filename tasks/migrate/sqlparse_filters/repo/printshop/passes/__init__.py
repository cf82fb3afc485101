"""One module for each rule of the house."""
