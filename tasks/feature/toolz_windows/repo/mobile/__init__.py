"""The station on a telephone: few values, large letters."""
