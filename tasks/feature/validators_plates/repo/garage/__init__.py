"""The car park under the town hall."""
