"""What the Lambda functions share at their edge: strict reading and refusals.

Nothing here plays by the rules (`werewolf`) or does I/O:
a function reads an event with `edge`, calls `hosting`, and writes the answer with `edge`.
"""
