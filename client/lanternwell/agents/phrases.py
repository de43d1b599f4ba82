"""What the heuristic agent says. `{who}` is a player, `{by}` another one."""

import random
from collections.abc import Iterable, Sequence
from typing import Final

CLAIM: Final = (
    "I am the seer. {who} is a werewolf, I saw it in the night.",
    "Listen: I am the seer, and {who} is a werewolf.",
    "No more hiding. I am the seer. {who} is a werewolf, vote with me.",
)
CLAIM_AGAIN: Final = (
    "I stand by it: I am the seer, {who} is a werewolf.",
    "Nothing has changed since the night: I am the seer and {who} is a werewolf.",
    "You need not like me. I am the seer, so believe me: {who} is a werewolf.",
)
CLEARED: Final = (
    "I am the seer. I looked at {who}, and I trust what I saw.",
    "Leave {who} in peace: I am the seer, and {who} is innocent.",
)
ACCUSE: Final = (
    "I keep coming back to {who}. Something there is suspicious.",
    "{who} answers every question but the one that was asked, and that is suspicious.",
    "My vote goes to {who} unless I hear a good reason.",
    "Did anyone else notice how {who} looked away, like a guilty soul?",
    "If I had to name a wolf right now, it would be {who}.",
    "I accuse {who}: far too sure of things that nobody can know.",
    "I do not trust the quiet ones, and I suspect {who}.",
    "Watch {who}, my first suspect. I would not be surprised to see fangs.",
)
JOIN: Final = (
    "{by} has a point. I suspect {who} too.",
    "I was not sure, but {by} convinced me: {who} is suspicious.",
    "Then let us settle it. I vote {who}, like {by}.",
    "I would vote {who} as well. Well said, {by}.",
)
DENY: Final = (
    "That is not true, {by}. I am a villager, and you are wasting a day.",
    "{by}, you point at me to look busy. Ask yourselves who gains by it.",
    "Send me away and you will see a villager's card, {by}.",
    "I understand the doubt, {by}, but you have the wrong one.",
)
MUSE: Final = (
    "Nobody saw anything, as usual. Who has something to say?",
    "We are still too many to guess. Let us hear everybody first.",
    "I slept badly. I have no name to give you yet.",
    "The well was quiet tonight. Too quiet for my taste.",
    "Before we vote, I want one reason from each of you.",
    "I would rather abstain than hang somebody on a feeling.",
    "Somebody here is counting us. I am counting back.",
    "Let the ones who spoke least speak now.",
)
MOURN: Final = (
    "Poor {who}. Whoever did that sits among us.",
    "{who} did not deserve it. Who was {who} on to?",
    "We lost {who}. Ask who slept soundly.",
)
INTRODUCE: Final = (
    "Good evening. I keep my lantern lit and my door shut.",
    "I am here for the company, and to see the morning.",
    "Hello all. I talk little and listen much.",
)
PACK: Final = ("This one.", "Quick and quiet.", "Before they start to think.", "Agreed?")


def pick(dice: random.Random, phrases: Sequence[str], said: Iterable[str], **who: str) -> str:
    """One of the phrases, preferring what has not been said at this table yet."""
    texts = [phrase.format(**who) for phrase in phrases]
    heard = set(said)
    fresh = [text for text in texts if text not in heard]
    return dice.choice(fresh or texts)
