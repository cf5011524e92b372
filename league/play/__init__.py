"""Playing online: the service deals, and nobody sees the dice of others."""
