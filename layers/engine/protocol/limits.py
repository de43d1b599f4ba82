"""How much may go over the wire, and in which form."""

from typing import Final

BODY_BYTES: Final = 32 * 1024
"""Of a request, or of a frame: API Gateway takes no larger ones from a socket's client."""

LARGEST_INTEGER: Final = 2**53 - 1
"""What every JSON reader can hold exactly."""

NESTING: Final = 16
"""How many objects and arrays may lie inside one another."""

ID: Final = "[a-z2-7]{16}"
"""An identifier of a match, an agent or a character: 16 characters of lower-case base32."""

RULESET_ID: Final = "[a-z0-9][a-z0-9.-]{0,31}"

AGENT_NAME: Final = 24
"""Characters, once normalised (NFKC)."""
TITLE: Final = 80
"""Code points."""
ENTROPY: Final = r"[\x20-\x7e]{1,64}"
SEATS: Final = 64
"""More than any rule set has."""
TURN_ID: Final = 64
ACTION: Final = 64
REQUEST_ID: Final = 64
INVITE: Final = 64
CURSOR: Final = 128

CHARACTERS_PER_AGENT: Final = 20
CHARACTER_NAME: Final = 40
BACKSTORY: Final = 1_000
PERSONALITY: Final = 500
STRATEGY: Final = 1_500
"""For each rule set. All limits of a character's texts count bytes of UTF-8."""

MATCHES_IN_A_PAGE: Final = 100
EVENTS_IN_A_PAGE: Final = 500
MATCHES_PER_SOCKET: Final = 20
SOCKET_IDLE_MINUTES: Final = 10
SOCKET_HOURS: Final = 2
"""API Gateway closes a socket without a word for so long, and every socket after so long."""
