"""
Messages, in the order in which one lives.

`planning` finds out whether a send can be made; `taking_in` appends it before any provider is asked;
`dispatching` hands it over and records how that went; `tracking` records what its provider reports later;
`falling_back` sends the next step of its fallback run; `looking_up` answers what became of it.
`opt_lists` says who may be written to. `sending_messages` leads a call through the first three, and
`recovering_messages` closes what a process that died left open.
"""
