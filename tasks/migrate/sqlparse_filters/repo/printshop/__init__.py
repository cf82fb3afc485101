"""Makes the queries of the yearbook fit to print."""
