"""What house bots say. `{who}` and `{by}` are seats. No phrase is longer than 150 characters."""

from typing import Final

CLAIM: Final = (
    "I am the seer, and {who} is a werewolf.",
    "Listen to me: I am the seer. In the night I saw that {who} is a werewolf.",
    "Believe me or bury me, but I am the seer and {who} is a werewolf.",
)
ACCUSE: Final = (
    "I accuse {who}. Too sure of things that nobody can know.",
    "I suspect {who}, and I would like to hear an answer.",
    "My vote goes to {who} unless somebody gives me a better name.",
    "If there is a wolf among us, I suspect {who}.",
)
DENY: Final = (
    "You are wrong about me, {by}. Ask who gains by it.",
    "I am on your side, {by}. We lose a day over this.",
    "{by}, you point at me to look busy.",
)
MUSE: Final = (
    "I have no name to give you yet. Let us hear everybody.",
    "Nobody saw anything, as usual.",
    "Before we vote, I want one reason from each of you.",
    "I would rather abstain than hang somebody on a feeling.",
)
INTRODUCE: Final = (
    "Good evening. The house asked me to keep a chair warm.",
    "I play for the house, and I mean to see the morning.",
    "Hello. I talk little and count well.",
)
