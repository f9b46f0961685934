"""The pages of SourceCheckup."""
