"""The club's log: every action, sealed, in the order of its commit."""
