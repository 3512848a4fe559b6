"""What the tests drive Postern with: the process, an HTTP client, mail servers, links."""
