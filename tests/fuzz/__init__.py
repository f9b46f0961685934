"""Every kind of file that can be imported, damaged in every way that we could think of."""
