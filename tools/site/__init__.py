"""
The site of the documentation: puts together what Zensical builds, and checks what it built.

`docs/` can be read in the repository as it is. The site adds what stands elsewhere: pages of the root, files
of code that a page links to, and an index for each kind of page (D-561).
"""
