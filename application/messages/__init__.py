"""
The use cases of messages, in the order of a message's life.

`planning` checks whether a send can be made; `taking_in` records it before any dispatch; `dispatching`
sends its messages and records the outcomes; `tracking` records later reports of providers;
`falling_back` sends the next step of a fallback run; `looking_up` answers questions about messages.
`opt_lists` records who may be written to. `sending_messages` leads a call through the first three, and
`recovering_messages` closes the dispatches of a process that died.
"""
