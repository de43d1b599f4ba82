"""Deadlines, and the sweep that reconciles."""
