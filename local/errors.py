"""What can go wrong with a local cloud."""


class LocalCloudError(Exception):
    """The local cloud cannot start or deploy; the message is one clear line."""


class PortTakenError(LocalCloudError):
    """Something listens on the wanted port already."""

    def __init__(self, port: int) -> None:
        super().__init__(f"port {port} of 127.0.0.1 is taken; free it or choose another port")
