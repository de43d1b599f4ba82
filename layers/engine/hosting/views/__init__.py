"""What a viewer may know: state, events, replay."""
