"""The REST calls, by subject. Each route reads, asks the platform, and answers."""
