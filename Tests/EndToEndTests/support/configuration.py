"""Configuration files for `postern serve` and `postern dev --config`."""

import json
from pathlib import Path

ADMIN_TOKEN = "admin-token-of-the-tests-0123456789"
SECRET = "first-secret-of-the-tests-0123456789abcdef"
PUBLIC_URL = "https://auth.example.com"
LINK_DOMAIN = "links.example.com"
FINGERPRINT = ":".join(["AB", "CD"] * 16)

UNLIMITED = {
    "perAddress": "1000000/15m", "perClient": "1000000/15m", "perProject": "1000000/1h", "passwordAttempts": "1000000/15m"}


def project(id: str, **changes) -> dict:
    """A project with everything switched on and no limits in the way."""
    return {
        "id": id, "displayName": f"The {id} app", "apiKeys": [f"{id}-key"], "authorizedDomains": ["example.com"],
        "mail": {"from": f"{id} <noreply@{id}.example>", "replyTo": f"help@{id}.example"}, "limits": UNLIMITED,
    } | changes


def smtp(port: int, **changes) -> dict:
    """A mail server of the tests on a loopback port, without TLS unless `changes` says so."""
    return {"url": f"smtp://127.0.0.1:{port}", "tls": "off", "timeout": "10s"} | changes


def service(directory: Path, mail: dict | list, projects: list[dict], **changes) -> dict:
    """All that `postern serve` needs, with everything it stores under `directory`."""
    return {
        "listen": "127.0.0.1:0", "adminTokens": [ADMIN_TOKEN], "publicURL": PUBLIC_URL,
        "database": f"sqlite:{directory / 'postern.sqlite3'}", "tokenKeys": str(directory / "keys"), "secrets": [SECRET],
        "smtp": mail, "projects": projects,
    } | changes


def write(path: Path, settings: dict) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    # JSON5: a comment and a comma behind the last member.
    text = json.dumps(settings, indent=2).rstrip()
    path.write_text("// made by the tests\n" + text[:-1].rstrip() + ",\n}\n")
    return path
