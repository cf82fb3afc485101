"""The small store that goes on the road with the company."""
