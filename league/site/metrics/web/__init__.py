"""The address that Prometheus asks, and what is noted of each request."""
