"""The simulator of the practical course. Students break it every year."""
