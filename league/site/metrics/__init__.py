"""What Prometheus is told of the service, and the log of requests."""
