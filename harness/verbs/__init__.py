"""What each verb of the command line does. Each returns the process's exit code."""
