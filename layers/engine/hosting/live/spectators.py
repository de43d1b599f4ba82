"""How many sockets may look on at one match.

Who has a seat always finds room, and so does an omniscient host. Everybody else is registered
first and counted then, so that those who come at the same time count one another: near the limit
it may be that some are refused for whom there would have been room, but never that more get in.
Whoever is refused can poll instead, or try again later.
"""

from hosting.errors import TooManySpectators
from hosting.ports import ConnectionStore, MatchStore


class Spectators:
    """Counts the sockets of those who look on."""

    def __init__(self, matches: MatchStore, connections: ConnectionStore, *, most: int) -> None:
        self._matches = matches
        self._connections = connections
        self._most = most

    def check(self, match_id: str, connection_id: str) -> None:
        """Whether there is room for this socket beside the others. Raises `TooManySpectators`.

        One query, and one read more near the limit.
        """
        others = [
            watcher.agent_id
            for watcher in self._connections.watchers(match_id)
            if watcher.connection_id != connection_id and watcher.mode != "omniscient"
        ]
        if len(others) < self._most:
            return
        table = self._matches.table(match_id)
        seated = {player.agent_id for player in table.players} if table is not None else set()
        if sum(agent_id not in seated for agent_id in others) >= self._most:
            raise TooManySpectators(
                f"at most {self._most} sockets look on at a match; you can poll instead"
            )
