"""The shapes on the wire: what may be sent, and what comes back."""
