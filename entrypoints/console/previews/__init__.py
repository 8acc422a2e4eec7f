"""
Previews: what a phone shows of a message or of a template, one module for each channel.

Each takes content as the wire has it, also an unfinished draft, and returns a `Preview`, which
`html/previews/phone.html` draws. A preview checks nothing: the use cases say what is wrong with a content
(D-509).
"""
