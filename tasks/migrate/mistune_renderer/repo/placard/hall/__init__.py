"""Elements of the placards in the hall, a module each."""
