"""The platform around the rules: tables, matches, identities, and streams of events.

`hosting.wiring.platform()` gives every service. One sentence holds the design: one write, and
everything else follows from it. A change to a match is one conditional transaction (`door`); what
must follow from it (pushes, clocks) is read from the table's stream (`push`, `follow`).

Only the modules in `hosting.adapters` know AWS. Times are integer milliseconds since the epoch.
"""
