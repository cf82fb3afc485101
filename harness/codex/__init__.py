"""The real Codex CLI as the agent under test: its process, what it asks, what it does."""
