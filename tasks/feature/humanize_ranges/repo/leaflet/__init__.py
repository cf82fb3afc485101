"""Leaflets for walks: a page, a poster, a feed and a calendar from one list of walks."""
