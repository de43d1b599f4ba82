"""Tables: open, list, sit down, start, close, play again."""
