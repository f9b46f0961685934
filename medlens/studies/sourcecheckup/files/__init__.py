"""What SourceCheckup's files hold, out of the store: the columns that go out and come in again."""
