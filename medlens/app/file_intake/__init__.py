"""The one way of files into the store: read in a process of their own, written in one transaction.

``reader_client`` is the side of the app or the command, ``reader_processes`` starts the processes
that read, ``reader_worker`` is such a process, ``store_proxy_in_reader`` the store as a study
sees it there, ``messages_between_processes`` what the two say to each other.
"""
