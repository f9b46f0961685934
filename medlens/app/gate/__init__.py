"""The one way of files into the store: read in a process of their own, written in one transaction.

``host`` is the side of the app or the command, ``readers`` starts the processes that read,
``worker`` is such a process, ``remote`` the store as a study sees it there, ``wire`` what the two
say to each other.
"""
