"""Playing: the one transaction that changes a match, moves, and the effects of a commit."""
