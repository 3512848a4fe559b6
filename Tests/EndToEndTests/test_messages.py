"""Messages as Python's strict reader sees them: the golden files of the Swift tests, and mails for names that try everything."""

import email
import email.policy
import json
import random
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest

from support import configuration, links
from support.mail import html_of, link_in, links_in_html, text_of
from support.postern import ROOT

FOLDER = ROOT / "Tests" / "MailTests" / "Fixtures" / "messages"
FIELDS = {
    "Date", "From", "Reply-To", "To", "Subject", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress", "Content-Language", "Feedback-ID",
    "MIME-Version", "Content-Type",
}


def strictly(content: bytes) -> email.message.EmailMessage:
    """Reads a message, objecting to every defect of its structure, its fields and its parts."""
    assert b"\n" not in content.replace(b"\r\n", b"") and b"\r" not in content.replace(b"\r\n", b"")
    assert max(map(len, content.split(b"\r\n"))) <= 998
    message = email.message_from_bytes(content, policy=email.policy.strict)
    for part in message.walk():
        assert part.defects == []
        for name, value in part.items():
            assert getattr(value, "defects", ()) == (), f"{name}: {value!r} {value.defects}"
            assert not any(ord(character) < 0x20 for character in value), name
    assert len(message.items()) == len(set(message.keys())) and set(message.keys()) <= FIELDS
    assert len(message["To"].addresses) == len(message["From"].addresses) == 1
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    return message


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.eml")), ids=lambda file: file.stem)
def test_golden_messages(file):
    # Python reads no fields beyond ASCII (RFC 6532), so the one address that is needs another name here.
    message = strictly(file.read_bytes().replace("\r\nTo: jürgen@".encode(), b"\r\nTo: juergen@"))
    given = json.loads(file.with_suffix(".json").read_text())
    for part, name in zip(message.iter_parts(), ["text", "html"]):
        expected = "".join(line + "\n" for line in given[name])
        assert part.get_content().replace("\r\n", "\n").removesuffix("\n") == expected.replace("\r\n", "\n").removesuffix("\n")
    assert message["Date"].datetime.timestamp() == given["seconds"]
    if file.stem not in ("hostile", "long", "hebrew"):
        assert message["Subject"] == given["subject"]


class Page(HTMLParser):
    """The names of tags and attributes, and the text."""

    def __init__(self, html: str):
        super().__init__()
        self.tags, self.attributes, self.text = set(), set(), ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attributes)

    def handle_data(self, data):
        self.text += data


PIECES = [
    "a", "Shop", "Müller", "日本語", "עברית", "👩‍👩‍👧", '"', "\\", "<", ">", ",", ";", ":", "@", "(", ")", "[x]", "=?utf-8?Q?=0D=0ABcc:_eve=40example.net?=",
    "<eve@example.net>", "Bcc: eve@example.net", "%0D%0A", "&amp;", "<b>", "' onclick='x", "=", "?=", ".", "From ", "--=_", " ", "  ", "x" * 70, "é" * 40,
    "{{link}}", "%LINK%",
]


def test_names_that_try_everything(start_serve, mail_server, address):
    generator = random.Random(20261201)
    names = [("".join(generator.choices(PIECES, k=generator.randint(1, 9))) or "x").strip() or "x" for _ in range(60)]

    def quoted(name):
        return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '" <noreply@example.com>'

    mail = mail_server()
    service = start_serve(
        configuration.smtp(mail.port),
        *(configuration.project(f"p{number}", displayName=name, mail={"from": quoted(name), "replyTo": quoted(name)})
          for number, name in enumerate(names)))
    emails = [address() for _ in names]
    for number, to in enumerate(emails):
        service.of(f"p{number}").send_link(to).ok()
    for name, to in zip(names, emails):
        received = mail.wait_for(to)
        assert received.recipients == [to]
        message = strictly(received.content)
        assert message["To"].addresses[0].addr_spec == to
        for field in "From", "Reply-To":
            [mailbox] = message[field].addresses
            assert mailbox.addr_spec == "noreply@example.com"
            # Without blanks: Python leaves one between encoded words of a display name, against RFC 2047 §6.2.
            shown, whole = "".join(mailbox.display_name.split()), "".join(name.split())
            assert shown == whole or (len(whole.encode()) > 128 and shown and whole.startswith(shown)), f"{shown!r} for {name!r}"
        # One link, the same in both parts, and the name as text.
        assert links.parse(link_in(message))["mode"] == "signIn"
        html = Page(html_of(message))
        assert not any(attribute.startswith("on") for attribute in html.attributes)
        # By host: the token of a link may spell anything.
        assert {urlsplit(link).hostname for link in links_in_html(html_of(message))} == {"auth.example.com"} and "b" not in html.tags
        assert name in text_of(message) and " ".join(name.split()) in " ".join(html.text.split())
        assert len(received.content) < 60_000
