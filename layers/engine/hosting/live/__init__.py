"""Sockets: subscriptions, pushes, who is present."""
