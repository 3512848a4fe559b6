"""DKIM: keys that the command makes, and signatures that two verifiers of others accept, as the mail server received them."""

import os
import stat

import pytest

from support import configuration, dkim_keys, links
from support.postern import run

FROM = "Grüße aus Köln <noreply@example.com>"


def unsigned(tmp_path, **changes):
    settings = configuration.service(
        tmp_path, configuration.smtp(2525), [configuration.project("example", mail={"from": FROM, "replyTo": "help@example.com"})], **changes)
    return configuration.write(tmp_path / "postern.json5", settings)


@pytest.fixture
def keys(tmp_path):
    return dkim_keys.make(unsigned(tmp_path), "example", "--out", tmp_path / "keys-of-mail")


@pytest.fixture
def signed(keys, start_serve, mail_server, address):
    """A mail with both signatures, as it came over the wire."""
    mail = mail_server()
    project = configuration.project(
        "example", displayName=".Dots & «Ünïcode»", mail={"from": FROM, "replyTo": "help@example.com", "dkim": keys.settings})
    service = start_serve(configuration.smtp(mail.port), project)
    email = address()
    # Lines that begin with dots are stuffed on the wire, and must come out as they were signed.
    service.api.send_link(email, "https://example.com/" + "." * 400).ok()
    received = mail.wait_for(email)
    assert service.api.complete(email, links.code(received.link)).ok()
    assert "PRIVATE KEY" not in service.postern.output
    return received.content


def change(content: bytes, old: bytes, new: bytes) -> bytes:
    assert old in content
    return content.replace(old, new, 1)


def header(content: bytes, line: bytes) -> bytes:
    """A field put in below the signatures, where a relay would."""
    return change(content, b"\r\nAuto-Submitted:", b"\r\n" + line + b"\r\nAuto-Submitted:")


CHANGES = {
    "nothing": (lambda mail: mail, True),
    "a harmless field": (lambda mail: header(mail, b"X-Spam-Status: No, score=0.0"), True),
    "a trace field": (lambda mail: b"Received: from a by b; Mon, 30 Nov 2026 22:27:56 +0000\r\n" + mail, True),
    "blanks at the end of lines": (lambda mail: change(mail, b"MIME-Version: 1.0\r\n", b"MIME-Version:  1.0 \t\r\n"), True),
    "empty lines at the end": (lambda mail: mail + b"\r\n\r\n", True),
    "a second Subject": (lambda mail: header(mail, b"Subject: Pay here"), False),
    "a second Subject above": (lambda mail: b"Subject: Pay here\r\n" + mail, False),
    "a second From": (lambda mail: header(mail, b"From: Eve <eve@example.net>"), False),
    "a second To": (lambda mail: header(mail, b"To: eve@example.net"), False),
    "a second Date": (lambda mail: header(mail, b"Date: Mon, 30 Nov 2026 22:27:56 +0000"), False),
    "a second Reply-To": (lambda mail: header(mail, b"Reply-To: eve@example.net"), False),
    "a second Content-Type": (lambda mail: b"Content-Type: text/html\r\n" + mail, False),
    "another language": (lambda mail: change(mail, b"Content-Language: en", b"Content-Language: fr"), True),
    "another body": (lambda mail: change(mail, b"\r\n\r\n--=_", b"\r\n\r\nMore.\r\n--=_"), False),
    "a longer body": (lambda mail: mail + b"More.\r\n", False),
    "no Message-ID": (lambda mail: change(mail, b"\r\nMessage-ID:", b"\r\nX-Message-ID:"), False),
}


def test_on_the_way(signed, keys):
    """Each change is judged by dkimpy for both signatures and by Mail::DKIM for RSA; it has no Ed25519."""
    assert signed.count(b"DKIM-Signature:") == 2
    for name, (apply, is_good) in CHANGES.items():
        content = apply(signed)
        assert dkim_keys.by_dkimpy(content, keys.records) == {"s1": is_good, "s1-ed25519": is_good}, name
        assert dkim_keys.by_mail_dkim(content, keys.records)["s1"] == ("pass" if is_good else "fail"), name


def test_another_key_in_dns(signed, keys, tmp_path):
    other = dkim_keys.make(unsigned(tmp_path / "other"), "example")
    assert other.records.keys() == keys.records.keys() and other.records != keys.records
    assert dkim_keys.by_dkimpy(signed, other.records) == {"s1": False, "s1-ed25519": False}
    assert dkim_keys.by_mail_dkim(signed, other.records)["s1"] == "fail"
    assert dkim_keys.by_dkimpy(signed, {}) == {"s1": False, "s1-ed25519": False}


def test_the_signature_says_what_it_covers(signed):
    import email

    message = email.message_from_bytes(signed)
    for value in message.get_all("DKIM-Signature"):
        tags = dict(part.strip().split("=", 1) for part in "".join(value.splitlines()).split(";"))
        assert tags["v"] == "1" and tags["c"] == "relaxed/relaxed" and tags["d"] == "example.com" and "l" not in tags
        assert 3 * 86_400 <= int(tags["x"]) - int(tags["t"]) <= 14 * 86_400
        names = [name.strip().lower() for name in tags["h"].split(":")]
        for name in "from", "to", "subject", "date", "reply-to", "content-type":
            assert names.count(name) == 2, name
        for name in "message-id", "mime-version", "auto-submitted", "feedback-id":
            assert names.count(name) == 1, name


def test_one_rsa_key(start_serve, mail_server, address, tmp_path):
    keys = dkim_keys.make(unsigned(tmp_path), "example", "--type", "rsa", "--selector", "20261201", "--out", tmp_path)
    [settings] = keys.settings
    mail = mail_server()
    service = start_serve(
        configuration.smtp(mail.port), configuration.project("example", mail={"from": "a@mail.example.com", "dkim": settings}))
    email = address()
    service.api.send_link(email).ok()
    content = mail.wait_for(email).content
    assert dkim_keys.by_dkimpy(content, keys.records) == {"20261201": True}
    assert dkim_keys.by_mail_dkim(content, keys.records) == {"20261201": "pass"}


def test_a_retry_is_signed_again(start_serve, mail_server, address, tmp_path):
    keys = dkim_keys.make(unsigned(tmp_path), "example", "--type", "ed25519", "--out", tmp_path)
    mail = mail_server(reply=lambda to, attempt: "421 4.3.0 Going down" if attempt == 1 else None, refuse_at="DATA")
    service = start_serve(
        configuration.smtp(mail.port, connections=1), configuration.project("example", mail={"from": FROM, "dkim": keys.settings}))
    email = address()
    service.api.send_link(email).ok()
    received = mail.wait_for(email, within=70)
    assert received.message_id == mail.refused[0].message_id
    for content in received.content, mail.refused[0].content:
        assert dkim_keys.by_dkimpy(content, keys.records) == {"s1": True}


# postern keys dkim


def test_key_files_are_private_and_never_replaced(tmp_path):
    config = unsigned(tmp_path)
    first = dkim_keys.make(config, "example")
    files = sorted(tmp_path.glob("*.pem"))
    assert [file.name for file in files] == ["dkim-example-s1-ed25519.pem", "dkim-example-s1.pem"]
    before = [file.read_bytes() for file in files]
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        for line in file.read_text().splitlines()[1:-1]:
            assert line not in first.output, "the private key is on the terminal"
    again = dkim_keys.make(config, "example")
    shown = dkim_keys.make(config, "example", "--show")
    assert first.records == again.records == shown.records and first.settings == again.settings
    assert [file.read_bytes() for file in files] == before
    # The settings are good as they are printed, beside the configuration.
    assert [settings["privateKey"] for settings in first.settings] == ["file:dkim-example-s1.pem", "file:dkim-example-s1-ed25519.pem"]


def test_records_fit_into_dns(tmp_path):
    keys = dkim_keys.make(unsigned(tmp_path), "example")
    assert list(keys.records) == ["s1._domainkey.example.com", "s1-ed25519._domainkey.example.com"]
    for name, strings in keys.zone.items():
        assert "".join(strings) == keys.records[name] and all(len(string) <= 255 for string in strings)
    assert len(keys.zone["s1._domainkey.example.com"]) == 2


def test_configured_keys_are_shown(tmp_path):
    made = dkim_keys.make(unsigned(tmp_path), "example")
    settings = configuration.service(
        tmp_path, configuration.smtp(2525), [configuration.project("example", mail={"from": FROM, "dkim": made.settings})])
    config = configuration.write(tmp_path / "signing.json5", settings)
    shown = dkim_keys.make(config, "example", "--show")
    assert shown.records == made.records and "configured" in shown.output and shown.settings == []
    # Asked for once more, they are not made once more.
    assert dkim_keys.make(config, "example").records == made.records
    assert run("check", "--config", config).stdout.splitlines()[-1].endswith("ok (1 project)")


def test_what_keys_dkim_refuses(tmp_path):
    config = unsigned(tmp_path)
    ended = run("keys", "dkim", "--config", config, "--project", "nobody")
    assert ended.returncode == 64 and "example" in ended.stderr
    ended = run("keys", "dkim", "--config", config, "--project", "example", "--show")
    assert ended.returncode == 65 and "--show" in ended.stderr and not list(tmp_path.glob("*.pem")), "showing makes nothing"
    (tmp_path / "dkim-example-s1.pem").write_text("something else\n")
    ended = run("keys", "dkim", "--config", config, "--project", "example")
    assert ended.returncode == 65 and "kept" in ended.stderr
    assert (tmp_path / "dkim-example-s1.pem").read_text() == "something else\n"
    ended = run("keys", "dkim", "--config", config, "--project", "example", "--out", tmp_path / "a" / "b")
    assert ended.returncode == 73 and "a/b" in ended.stderr


def test_check_tells_what_is_wrong_with_a_key(tmp_path):
    import subprocess

    for bits in 1024, 2047:
        subprocess.run(["openssl", "genrsa", "-out", tmp_path / f"rsa{bits}.pem", str(bits)], check=True, capture_output=True)
    subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", tmp_path / "ec.pem"], check=True, capture_output=True)
    made = dkim_keys.make(unsigned(tmp_path), "example", "--type", "rsa")

    def check(*keys: str, from_="noreply@example.com", domain="example.com"):
        dkim = [{"domain": domain, "selector": f"s{number}", "privateKey": f"file:{key}"} for number, key in enumerate(keys)]
        settings = configuration.service(
            tmp_path, configuration.smtp(2525), [configuration.project("example", mail={"from": from_, "dkim": dkim})])
        return run("check", "--config", configuration.write(tmp_path / "checked.json5", settings))

    good = made.settings[0]["privateKey"].removeprefix("file:")
    ended = check("rsa1024.pem", good, "rsa2047.pem", "ec.pem")
    assert ended.returncode == 78
    for key_path, words in [("dkim[0].privateKey", "1024 bits"), ("dkim[2].privateKey", "2047 bits"), ("dkim[3].privateKey", "P-256")]:
        [line] = [line for line in ended.stderr.splitlines() if key_path in line]
        assert words in line
    assert "dkim[1]" not in ended.stderr and "PRIVATE" not in ended.stderr
    ended = check("nowhere.pem")
    assert ended.returncode == 78 and "nowhere.pem" in ended.stderr
    assert "warning" not in check(good).stdout
    ended = check(good, domain="example.net")
    assert ended.returncode == 0 and "warning" in ended.stdout and "example.net" in ended.stdout
    os.chmod(tmp_path / good, 0o644)
    ended = check(good)
    assert ended.returncode == 0 and "chmod 600" in ended.stdout
