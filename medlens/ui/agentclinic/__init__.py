"""The pages of AgentClinic: rating, checking, reading, figures."""
