"""Reports of the orchard: picking, sales, pay and frost."""
