"""A match before your eyes: `python -m lanternwell.show --http URL --ws URL`."""
