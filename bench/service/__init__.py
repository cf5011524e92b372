"""The service on real servers in a temporary folder: PostgreSQL, Redis and, where a part needs one,
a worker.

The modules here read Django's settings as they are imported: import them inside
`bench.service.servers.servers`."""
