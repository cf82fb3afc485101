"""What the parcel courier's machines talk to, under a contract of theirs."""
