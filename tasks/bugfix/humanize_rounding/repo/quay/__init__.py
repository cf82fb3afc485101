"""The board at the quay: what ships bring, what they pay and how long they wait."""
