"""What a server tells its operator: a log and figures, never what people or models wrote."""
