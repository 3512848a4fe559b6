"""Who gets mail and who does not: bounces, mutes and their release; six digits beside the link; awkward addresses on the wire."""

import json
import re
import subprocess
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from support import configuration, links
from support.mail import text_of
from support.postern import BINARY, ROOT, run
from support.waiting import wait_until

ADDRESSES = json.loads((Path(__file__).parents[1] / "MailTests" / "Fixtures" / "addresses.json").read_text())


def suppressions(service, project="example") -> list[dict]:
    return service.client.get(f"/v2/projects/{project}/suppressions", service.api.admin).ok()["suppressions"]


def release(service, address: str):
    return service.client.request("DELETE", f"/v2/projects/example/suppressions/{quote(address)}", headers=service.api.admin)


def bounce(service, report: bytes) -> subprocess.CompletedProcess:
    """What a mail server's pipe does with a report."""
    return subprocess.run(
        [BINARY, "bounce", "--config", str(service.config)], cwd=ROOT, input=report, capture_output=True, timeout=30)


def report(message_id: str, address: str, action="failed", status="5.1.1") -> bytes:
    return f"""From: MAILER-DAEMON@mx.example
To: noreply@example.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"

--=_b
Content-Type: text/plain

It could not be delivered.

--=_b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; {address}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 {status} User unknown

--=_b
Content-Type: text/rfc822-headers

Message-ID: {message_id}
Subject: Sign in

--=_b--
""".encode()


def outbox(service) -> str:
    return run("outbox", "list", "--config", service.config).stdout


def assert_dropped(service, mail, email, count: int):
    """A mail to `email` is accepted and never arrives, although one to somebody else that was asked for later does."""
    service.api.send_link(email).ok()
    other = f"after-{len(mail.received)}-{count}@mail.example"
    service.api.send_link(other).ok()
    mail.wait_for(other)
    wait_until(lambda: "0 waiting" in outbox(service), 10, "an outbox without waiting mails")
    assert len(mail.mails_to(email)) == count


def test_a_refused_recipient_is_suppressed_until_released(start_serve, mail_server, address):
    email = address("gone")
    mail = mail_server(reply=lambda to, attempt: "550 5.1.1 No such user" if to == email and attempt == 1 else None)
    service = start_serve(configuration.smtp(mail.port))
    service.api.send_link(email).ok()
    [found] = wait_until(lambda: suppressions(service), 15, "a suppression")
    assert (found["email"], found["reason"]) == (email, "REFUSED") and "5.1.1 No such user" in found["detail"]
    assert "until" not in found
    assert_dropped(service, mail, email, 0)
    assert mail.attempts[email] == 1
    assert release(service, email).ok() == {}
    assert release(service, email).code() == "SUPPRESSION_NOT_FOUND"
    assert suppressions(service) == []
    service.api.send_link(email).ok()
    assert service.api.complete(email, links.code(mail.wait_for(email).link)).ok()["email"] == email


@pytest.mark.parametrize("reply", ["550 5.7.1 Policy", "550 relay not permitted", "552 5.2.2 Mailbox full", "550 5.7.26 Unauthenticated", "550 5.7.515 Not at our level"])
def test_what_is_not_the_recipients_fault_suppresses_nobody(start_serve, mail_server, address, reply):
    email = address()
    mail = mail_server(reply=lambda to, attempt: reply if to == email else None)
    service = start_serve(configuration.smtp(mail.port))
    service.api.send_link(email).ok()
    # A mail that waits has its reason in the list as a failed one does.
    wait_until(lambda: reply.split(" ", 1)[1] in outbox(service), 15, "the refusal in the outbox")
    assert suppressions(service) == []


def test_a_report_through_the_pipe_while_serve_runs(start_serve, mail_server, address):
    mail = mail_server()
    service = start_serve(configuration.smtp(mail.port))
    email, other = address("bounced"), address("other")
    for each in email, other:
        service.api.send_link(each).ok()
    message_id = mail.wait_for(email).message_id
    mail.wait_for(other)

    # Neither what is no report, nor one that is forged, nor one that is not final does anything; the mail server is content with each.
    for harmless, answer in [
        (b"", "not a delivery report"), (b"From: a@b.example\n\nI am on holiday.\n", "not a delivery report"),
        (report(message_id, other), "not about a mail"), (report("<1.0011@example.example>", email), "not about a mail"),
        (report(message_id, email, "delayed", "4.4.1"), "nothing for good"), (report(message_id, email, "failed", "5.2.2"), "nothing for good"),
    ]:
        result = bounce(service, harmless)
        assert result.returncode == 0 and answer in result.stdout.decode(), (result, harmless)
    assert suppressions(service) == []

    result = bounce(service, report(message_id, email.upper()).replace(b"\n", b"\r\n"))
    assert (result.returncode, result.stdout) == (0, b"suppressed: 1\n"), result
    [found] = suppressions(service)
    assert (found["email"], found["reason"], found["detail"]) == (email, "REPORTED", "550 5.1.1 User unknown")
    assert_dropped(service, mail, email, 1)
    release(service, email).ok()
    service.api.send_link(email).ok()
    wait_until(lambda: len(mail.mails_to(email)) == 2, 15, "a mail after the release")


def test_a_database_that_is_away_is_a_temporary_failure(start_serve):
    service = start_serve(configuration.smtp(1), start=False)
    result = bounce(service, report("<1.0011@example.example>", "a@mail.example"))
    assert result.returncode == 75, result
    assert run("bounce").returncode == 64


def not_me(mail) -> str:
    start = configuration.PUBLIC_URL + "/__/auth/not-me?t="
    [link] = [line for line in text_of(mail.message).splitlines() if line.startswith(start)]
    return link.removeprefix(configuration.PUBLIC_URL)


def test_this_was_not_me(start_serve, mail_server, address):
    mail = mail_server()
    service = start_serve(configuration.smtp(mail.port))
    host = {"Host": "auth.example.com"}
    email = address()
    service.api.send_link(email).ok()
    received = mail.wait_for(email)
    path = not_me(received)
    for method in "GET", "HEAD":
        assert service.client.request(method, path, headers=host).status == 200
    page = service.client.get(path, host)
    assert email not in page.text and suppressions(service) == []
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text))
    assert set(fields) == {"t", "token"}

    def press(fields):
        return service.client.request(
            "POST", "/__/auth/not-me", urlencode(fields), host | {"Content-Type": "application/x-www-form-urlencoded"})

    assert press(fields | {"token": "forged"}).status == 403 and suppressions(service) == []
    assert press(fields).status == 200
    [found] = suppressions(service)
    assert (found["email"], found["reason"]) == (email, "MUTED") and found["until"] > found["since"]
    assert service.api.complete(email, links.code(received.link)).code() == "INVALID_OOB_CODE"
    assert_dropped(service, mail, email, 1)
    release(service, email).ok()
    service.api.send_link(email).ok()
    wait_until(lambda: len(mail.mails_to(email)) == 2, 15, "a mail after the release")


def digits(mail) -> list[str]:
    return [line for line in text_of(mail.message).splitlines() if re.fullmatch(r"\d{6}", line)]


def test_digits_beside_the_link(start_serve, mail_server, address):
    mail = mail_server()
    service = start_serve(
        configuration.smtp(mail.port), configuration.project("example", includeCode=True), configuration.project("plain"))
    by_digits, by_link, plain = address("digits"), address("link"), address("plain")
    for email in by_digits, by_link:
        service.api.send_link(email).ok()
    service.of("plain").send_link(plain).ok()

    received = mail.wait_for(by_digits)
    [code] = digits(received)
    assert service.api.complete(by_digits, code).ok()["isNewUser"] is True
    assert service.api.complete(by_digits, links.code(received.link)).code() == "INVALID_OOB_CODE"

    received = mail.wait_for(by_link)
    [code] = digits(received)
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    for _ in range(5):
        assert service.api.complete(by_link, wrong).code() == "INVALID_OOB_CODE"
    assert service.api.complete(by_link, code).code() == "TOO_MANY_ATTEMPTS_TRY_LATER"
    assert service.api.complete(by_link, links.code(received.link)).ok()["email"] == by_link

    assert digits(mail.wait_for(plain)) == []
    # Nothing of it is stored.
    for file in service.data.rglob("*"):
        assert not file.is_file() or code.encode() not in file.read_bytes(), file


def test_awkward_addresses_are_right_or_refused_and_never_mangled(start_serve, mail_server):
    mail = mail_server()
    service = start_serve(configuration.smtp(mail.port))
    wanted = set()
    for case in ADDRESSES:
        answer = service.api.send_link(case["given"])
        if "error" in case:
            assert answer.code() in ("INVALID_EMAIL", "MISSING_EMAIL"), case
        else:
            assert answer.ok()["email"] == case["address"], case
            wanted.add(case["address"])
    assert len(wanted) > 10
    wait_until(lambda: len(mail.received) >= len(wanted), 30, "all mails")
    assert {tuple(received.recipients) for received in mail.received} == {(address,) for address in wanted}
    for received in mail.received:
        domain = received.recipients[0].rpartition("@")[2]
        assert domain.isascii()
        assert f"To: {received.recipients[0]}\r\n".encode() in received.content
