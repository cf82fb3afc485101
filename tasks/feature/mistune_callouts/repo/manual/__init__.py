"""The manual of the bicycle workshop."""
