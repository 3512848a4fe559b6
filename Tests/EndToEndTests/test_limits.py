"""What comes too often: limits outlive the process, count clients behind proxies, and end when they say so."""

import sqlite3
import time
from contextlib import closing

import pytest

from support import configuration

LIMITED = "TOO_MANY_ATTEMPTS_TRY_LATER"


@pytest.fixture
def limited(start_serve, mail_server):
    """Starts a service whose project has these limits and no others in the way."""

    def start(limits: dict, **changes):
        project = configuration.project("example", limits=configuration.UNLIMITED | limits)
        return start_serve(configuration.smtp(mail_server().port), project, **changes)

    return start


def test_a_limit_outlives_a_restart_and_a_kill(limited, address):
    service = limited({"perAddress": "2/1h", "passwordAttempts": "2/1h"})
    email, other = address(), address()
    for _ in range(2):
        service.api.send_link(email).ok()
        assert service.api.call("signInWithPassword", email=email, password="wrong").code() == "INVALID_LOGIN_CREDENTIALS"
    assert service.api.send_link(email).code() == LIMITED

    assert service.postern.stop() == 0
    service.postern.start()
    refused = service.api.send_link(email)
    assert refused.code() == LIMITED
    assert 1700 <= int(refused.headers["Retry-After"]) <= 1800
    assert service.api.call("signInWithPassword", email=email, password="wrong").code() == LIMITED

    for _ in range(2):
        service.api.send_link(other).ok()
    # What was counted is on disk a second later.
    time.sleep(1.5)
    service.postern.kill()
    service.postern.start()
    assert service.api.send_link(email).code() == LIMITED
    assert service.api.send_link(other).code() == LIMITED
    service.api.send_link(address()).ok()


def test_it_is_worth_another_try_when_it_says_so(limited, address):
    service = limited({"perAddress": "2/4s"})
    email = address()
    for _ in range(2):
        service.api.send_link(email).ok()
    refused = service.api.send_link(email)
    assert refused.code() == LIMITED
    wait = int(refused.headers["Retry-After"])
    assert 1 <= wait <= 2
    time.sleep(wait)
    service.api.send_link(email).ok()
    assert service.api.send_link(email).code() == LIMITED


def test_clients_behind_a_proxy_count_for_themselves(limited, address):
    trusting = limited({"perClient": "2/1h"}, trustedProxies=["127.0.0.1/32", "10.0.0.0/8"])

    def send(service, forwarded):
        body = {"requestType": "EMAIL_SIGNIN", "email": address(), "continueUrl": "https://example.com/"}
        headers = {"X-Forwarded-For": forwarded} if forwarded else None
        return service.client.post("/v1/accounts:sendOobCode?key=example-key", body, headers)

    for _ in range(2):
        send(trusting, "192.0.2.1").ok()
    assert send(trusting, "192.0.2.1").code() == LIMITED
    assert send(trusting, "203.0.113.1, 192.0.2.1, 10.0.0.7").code() == LIMITED
    for host in (1, 2):
        send(trusting, f"2001:db8:1:2::{host}").ok()
    assert send(trusting, "2001:db8:1:2::3").code() == LIMITED
    send(trusting, "2001:db8:1:3::3").ok()
    # Backends are no clients.
    for _ in range(3):
        trusting.api.admin_call(
            "sendOobCode", requestType="EMAIL_SIGNIN", email=address(), continueUrl="https://example.com/").ok()

    doubting = limited({"perClient": "2/1h"})
    for host in (1, 2):
        send(doubting, f"192.0.2.{host}").ok()
    assert send(doubting, "192.0.2.3").code() == LIMITED


def test_dev_has_the_limits_of_its_configuration_only(start_dev, tmp_path, address):
    config = configuration.write(tmp_path / "dev.json5", {"projects": [
        {"id": "strict", "apiKeys": ["strict-key"], "authorizedDomains": ["example.com"], "limits": {"perAddress": "1/1h"}}]})
    dev = start_dev("--config", config)
    strict, email = dev.of("strict"), address()
    strict.key = "strict-key"
    strict.send_link(email).ok()
    assert strict.send_link(email).code() == LIMITED
    for _ in range(12):
        assert strict.call("signInWithPassword", email=email, password="wrong").code() == "INVALID_LOGIN_CREDENTIALS"
        dev.api.send_link(email, "http://localhost/finish").ok()


def test_what_is_stored_and_logged_names_nobody(limited, address):
    service = limited({"perClient": "60/1h", "passwordAttempts": "1/1h"}, log={"level": "debug", "format": "text"})
    email = address("secretive")
    assert service.api.call("signInWithPassword", email=email, password="wrong").code() == "INVALID_LOGIN_CREDENTIALS"
    assert service.api.call("signInWithPassword", email=email, password="wrong").code() == LIMITED
    metrics = service.client.get("/metrics").text
    assert "\npostern_limit_buckets 3\n" in metrics
    assert '\npostern_limit_refusals_total{kind="passwords_of_client_for_address"} 1\n' in metrics
    assert service.postern.stop() == 0
    with closing(sqlite3.connect(service.data / "postern.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM rate_limit_buckets").fetchone() == (3,)
    for file in service.data.glob("postern.sqlite3*"):
        assert b"secretive" not in file.read_bytes()
    assert "secretive" not in service.postern.output
