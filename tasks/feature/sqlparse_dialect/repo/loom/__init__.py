"""Tools for the query desk."""
