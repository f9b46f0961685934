"""A study's file is proposed from any table: what each column is, what to tell, what to write."""
