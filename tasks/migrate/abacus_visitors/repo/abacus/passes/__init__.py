"""What can be done with a tree, one module per pass.

Callers use the function that a module offers. `Evaluate` is the one
class that they make themselves, since it needs an environment.
"""
