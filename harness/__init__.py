"""seambench: does a coding agent carry on with its work after its history is compacted?"""

__version__ = "0.1.0"
