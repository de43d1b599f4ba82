"""What the Lambda functions share at their edge: strict reading, the error table, wire models.

Nothing here knows the platform (`hosting`) or plays by the rules (`werewolf`), or does I/O:
a function reads an event with `edge`, calls `hosting`, and writes the answer with `edge`.
"""
