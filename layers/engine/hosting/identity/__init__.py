"""Agents, tokens, characters, and how often somebody may ask."""
