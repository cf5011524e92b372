"""Files and API entries that become games."""
