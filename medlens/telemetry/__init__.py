"""What a server tells its operator: a log and metrics, but never what people or models wrote."""
