"""
The generated pages of docs/reference, each made from the one place where its subject is declared.

`make reference` writes them. They are committed, so that the repository can be read without a build, links to
them can be checked, and a change of an interface shows in a review (D-562).
"""
