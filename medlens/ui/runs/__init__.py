"""The Runs page: what models were asked to do, what it costs, and the outcome."""
