"""Mails on their way: security of the connection, refusals, servers that are away, and how fast it goes."""

import socket
import time

import pytest
import trustme

from support import configuration, links
from support.mail import MailServer, SMTPSink, free_port
from support.postern import run
from support.waiting import wait_until


def outbox(service) -> str:
    listing = run("outbox", "list", "--config", service.config)
    assert listing.returncode == 0, listing.stderr
    return listing.stdout


def tls(port: int, ca_file, scheme="smtp", host="localhost", **changes) -> dict:
    return {"url": f"{scheme}://{host}:{port}", "caFile": str(ca_file), "timeout": "10s"} | changes


@pytest.mark.parametrize("kind,scheme", [("starttls", "smtp"), ("implicit", "smtps")])
@pytest.mark.parametrize("user", [None, ("postern", 'pass"word \\ of-the-mail')], ids=["", "signed in"])
def test_encrypted(start_serve, mail_server, server_context, ca_file, address, kind, scheme, user):
    mail = mail_server(tls=kind, context=server_context("localhost"), user=user)
    credentials = {"username": user[0], "password": "env:POSTERN_MAIL_PASSWORD"} if user else {}
    service = start_serve(tls(mail.port, ca_file, scheme, **credentials), environment={"POSTERN_MAIL_PASSWORD": user[1]} if user else {})
    email = address()
    service.api.send_link(email).ok()
    received = mail.wait_for(email)
    assert received.encrypted and received.user == (user and user[0].encode())
    assert received.message["To"].addresses[0].addr_spec == email
    assert service.api.complete(email, links.code(received.link)).ok()["isNewUser"] is True
    assert user is None or user[1] not in service.postern.output


def assert_waits_and_then_arrives(service, mail, email, good: dict, mail_server):
    """Nothing may reach the bad server; once a good one listens at the same port, the mail must arrive there."""
    wait_until(lambda: "attempts 0" not in (listing := outbox(service)) and "1 waiting, 0 failed" in listing, 15, "a failed attempt")
    assert mail.received == []
    mail.stop()
    better = mail_server(port=mail.port, **good)
    better.wait_for(email, within=30)
    assert len(better.mails_to(email)) == 1
    wait_until(lambda: "0 waiting, 0 failed" in outbox(service), 10, "the empty outbox")


def test_starttls_is_required(start_serve, mail_server, server_context, ca_file, address):
    mail = mail_server(tls="off")
    service = start_serve(tls(mail.port, ca_file))
    email = address()
    service.api.send_link(email).ok()
    assert_waits_and_then_arrives(service, mail, email, {"tls": "starttls", "context": server_context("localhost")}, mail_server)


def test_a_certificate_by_a_stranger(start_serve, mail_server, server_context, ca_file, address):
    mail = mail_server(tls="starttls", context=server_context("localhost", by=trustme.CA()))
    service = start_serve(tls(mail.port, ca_file))
    email = address()
    service.api.send_link(email).ok()
    assert_waits_and_then_arrives(service, mail, email, {"tls": "starttls", "context": server_context("localhost")}, mail_server)


def test_a_certificate_for_another_name(start_serve, mail_server, server_context, ca_file, address):
    mail = mail_server(tls="implicit", context=server_context("mail.elsewhere.example"))
    service = start_serve(tls(mail.port, ca_file, "smtps"))
    email = address()
    service.api.send_link(email).ok()
    assert_waits_and_then_arrives(service, mail, email, {"tls": "implicit", "context": server_context("localhost")}, mail_server)


def test_credentials_without_an_offer_of_auth_send_nothing(start_serve, mail_server, server_context, ca_file, address):
    context = server_context("localhost")
    mail = mail_server(tls="starttls", context=context)
    service = start_serve(tls(mail.port, ca_file, username="postern", password="a-mail-password"))
    email = address()
    service.api.send_link(email).ok()
    good = {"tls": "starttls", "context": context, "user": ("postern", "a-mail-password")}
    assert_waits_and_then_arrives(service, mail, email, good, mail_server)


def test_a_wrong_password_sends_nothing(start_serve, mail_server, server_context, ca_file, address):
    context = server_context("localhost")
    mail = mail_server(tls="starttls", context=context, user=("postern", "another"))
    service = start_serve(tls(mail.port, ca_file, username="postern", password="a-mail-password"))
    email = address()
    service.api.send_link(email).ok()
    good = {"tls": "starttls", "context": context, "user": ("postern", "a-mail-password")}
    assert_waits_and_then_arrives(service, mail, email, good, mail_server)
    assert "a-mail-password" not in service.postern.output + outbox(service)


def test_the_server_is_away_when_the_mail_is_accepted(start_serve, mail_server, address):
    port = free_port()
    service = start_serve(configuration.smtp(port))
    emails = [address() for _ in range(20)]
    times = []
    for email in emails:
        began = time.monotonic()
        service.api.send_link(email).ok()
        times.append(time.monotonic() - began)
    assert sorted(times)[len(times) // 2] < 0.1, "the API waits for SMTP"
    assert "20 waiting, 0 failed" in outbox(service)
    mail = mail_server(port=port)
    for email in emails:
        mail.wait_for(email, within=30)
    assert sorted(received.recipients[0] for received in mail.received) == sorted(emails)


def test_a_silent_server_holds_up_nothing_but_its_own_mails(start_serve, address):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(64)
        service = start_serve(configuration.smtp(silent.getsockname()[1]))
        began = time.monotonic()
        for _ in range(20):
            service.api.send_link(address()).ok()
        assert time.monotonic() - began < 2
        assert service.client.get("/healthz").status == 200
        # Ends in good time although every connection hangs.
        began = time.monotonic()
        assert service.postern.stop(within=30) == 0
        assert time.monotonic() - began < 15


def test_a_refused_address_is_given_up_and_the_others_are_not(start_serve, mail_server, address):
    bad = address("refused")
    mail = mail_server(reply=lambda to, attempt: "550 5.1.1 No such user" if to == bad else None)
    service = start_serve(configuration.smtp(mail.port))
    good = [address() for _ in range(5)]
    for email in [*good[:2], bad, *good[2:]]:
        service.api.send_link(email).ok()
    for email in good:
        mail.wait_for(email)
    listing = wait_until(lambda: "0 waiting, 1 failed" in (text := outbox(service)) and text, 10, "the refusal in the outbox")
    assert "550" in listing and bad not in listing.replace("No such user", "")
    assert mail.attempts[bad] == 1 and mail.mails_to(bad) == []
    purged = run("outbox", "purge", "--config", service.config)
    assert purged.returncode == 0 and "0 waiting, 0 failed" in outbox(service)


@pytest.mark.parametrize("refusal", [MailServer.CUT, "421 4.3.0 Going down"])
def test_a_connection_lost_behind_the_last_dot(start_serve, mail_server, address, refusal):
    """Whether the server took the mail nobody knows, so it comes once more as the same mail."""
    mail = mail_server(reply=lambda to, attempt: refusal if attempt == 1 else None, refuse_at="DATA")
    service = start_serve(configuration.smtp(mail.port, connections=1))
    email = address()
    service.api.send_link(email).ok()
    wait_until(lambda: mail.refused, 10, "the first attempt")
    received = mail.wait_for(email, within=70)
    assert received.message_id == mail.refused[0].message_id
    assert links.code(received.link) == links.code(mail.refused[0].link)


def test_an_operator_may_have_it_tried_again(start_serve, mail_server, address):
    email = address()
    mail = mail_server(reply=lambda to, attempt: "550 5.7.1 Not today" if attempt == 1 else None)
    service = start_serve(configuration.smtp(mail.port))
    service.api.send_link(email).ok()
    wait_until(lambda: "0 waiting, 1 failed" in outbox(service), 10, "the refusal")
    assert run("outbox", "retry", "--config", service.config).returncode == 0
    assert mail.wait_for(email, within=30).recipients == [email]


def test_one_bad_mail_does_not_spoil_its_connection(start_serve, mail_server, address):
    refused = address("refused")
    mail = mail_server(reply=lambda to, attempt: "550 5.1.1 No" if to == refused else None)
    service = start_serve(configuration.smtp(mail.port, connections=1))
    emails = [address(), refused, address(), address()]
    for email in emails:
        service.api.send_link(email).ok()
    for email in emails:
        if email != refused:
            assert mail.wait_for(email).message["To"].addresses[0].addr_spec == email
    assert len(mail.connections) == 1


def test_the_mail_on_the_wire(start_serve, mail_server, address):
    mail = mail_server()
    dots = "https://example.com/" + "." * 400 + "?x=" + ".%0A.%0D%0A." * 20
    service = start_serve(
        configuration.smtp(mail.port, helo="mx.example.com"),
        configuration.project("example", displayName=".Dots & <Tags> «Ünïcode»", mail={"from": "Grüße <noreply@example.com>", "replyTo": "help@example.com"}))
    email = address()
    service.api.send_link(email, dots).ok()
    received = mail.wait_for(email)
    assert received.sender.endswith("@example.com") and received.recipients == [email]
    assert b"\n" not in received.content.replace(b"\r\n", b"")
    assert max(map(len, received.content.split(b"\r\n"))) <= 998
    message = received.message
    assert message.defects == []
    assert message["From"].addresses[0].display_name == "Grüße"
    assert message["Reply-To"].addresses[0].addr_spec == "help@example.com"
    assert ".Dots & <Tags> «Ünïcode»" in message["Subject"]
    # Dots are stuffed once and unstuffed once: the link came through to the byte.
    link = links.parse(received.link)
    assert link["continueUrl"] == dots
    assert service.client.open(received.link).headers["Location"].startswith("https://example.com/" + "." * 400)
    assert service.api.complete(email, link.code).ok()


def test_five_hundred_mails_over_few_connections(start_serve, tmp_path):
    with SMTPSink(tmp_path / "sink") as sink:
        service = start_serve(configuration.smtp(sink.port, connections=4))
        emails = [f"bulk-{number}@mail.example" for number in range(500)]
        began = time.monotonic()
        for email in emails:
            service.api.send_link(email).ok()
        wait_until(lambda: sink.count >= 500, 30, "500 mails")
        took = time.monotonic() - began
        wait_until(lambda: "0 waiting, 0 failed" in outbox(service), 10, "the empty outbox")
        assert service.postern.stop() == 0
        mails = sink.mails()
        assert sorted(mail.recipients[0] for mail in mails) == sorted(emails)
        assert len({mail.message_id for mail in mails}) == 500
        assert sink.connections <= 4 + 1, "connections are kept"
        assert took < 20
        one = mails[0]
        assert links.parse(one.link)["mode"] == "signIn" and one.message["To"].addresses[0].addr_spec == one.recipients[0]


def test_dev_really_sends_when_told_to(start_dev, mail_server, address):
    mail = mail_server()
    dev = start_dev("--smtp-url", f"smtp://127.0.0.1:{mail.port}")
    email = address()
    dev.api.send_link(email).ok()
    assert dev.api.complete(email, links.code(mail.wait_for(email).link)).ok()["isNewUser"] is True


@pytest.mark.last
@pytest.mark.slow
def test_a_deferred_mail_is_tried_again_with_the_same_id(serve, start_of_session):
    received = serve.mail.wait_for(start_of_session.deferred, within=75)
    [first] = serve.mail.refused
    assert serve.mail.attempts[start_of_session.deferred] == 2
    assert len(serve.mail.mails_to(start_of_session.deferred)) == 1
    assert received.message_id == first.message_id and links.code(received.link) == links.code(first.link)
    assert serve.api.complete(start_of_session.deferred, links.code(received.link)).ok()["isNewUser"] is True
