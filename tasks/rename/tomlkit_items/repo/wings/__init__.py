"""The store of a theatre: what stands on the shelves behind the stage, kept in a TOML file."""
