"""Reading, checking, writing, storing and sealing game records."""
