"""Error tagging's views: the desk, the results, one response in detail, open coding."""
