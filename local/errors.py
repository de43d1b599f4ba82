"""What can go wrong with a platform on this machine."""


class LocalCloudError(Exception):
    """The platform cannot start or be deployed; the message is one clear line."""


class PortTakenError(LocalCloudError):
    """Something listens on the wanted port already."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        super().__init__(f"port {port} of {host} is taken; free it or choose another port")
