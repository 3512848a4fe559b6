"""Mail servers that are not ours: aiosmtpd in this process, Postfix's smtp-sink in another; and a reader for what they receive."""

import asyncio
import email
import email.policy
import os
import pwd
import re
import shutil
import socket
import subprocess
import threading
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import ClassVar

from aiosmtpd.smtp import SMTP, AuthResult

from .waiting import wait_until


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass(frozen=True)
class Received:
    """A mail as a server received it."""

    sender: str
    recipients: list[str]
    content: bytes
    encrypted: bool = False
    user: bytes | None = None
    connection: tuple | None = None

    @property
    def message(self) -> email.message.EmailMessage:
        return parse(self.content)

    @property
    def message_id(self) -> str:
        return self.message["Message-ID"]

    @property
    def link(self) -> str:
        return link_in(self.message)


def parse(content: bytes) -> email.message.EmailMessage:
    return email.message_from_bytes(content, policy=email.policy.default)


def text_of(message) -> str:
    return message.get_body(("plain",)).get_content()


def html_of(message) -> str:
    return message.get_body(("html",)).get_content()


class _Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.found.append(dict(attributes)["href"])


def links_in_html(html: str) -> list[str]:
    parser = _Links()
    parser.feed(html)
    return parser.found


def link_in(message) -> str:
    """The one link with a code; both parts of a mail hold it, and the page for those who did not ask, and no other link."""
    lines = [line for line in text_of(message).splitlines() if re.fullmatch(r"https?://\S+", line)]
    assert set(links_in_html(html_of(message))) == set(lines), "text and HTML differ in their links"
    links = [line for line in lines if "oobCode" in line]
    assert len(links) == 1 and len(lines) <= 2, f"the text has {len(lines)} lines that are a link"
    return links[0]


@dataclass
class MailServer:
    """aiosmtpd on a loopback port, with the security that a test asks for.

    `reply` may refuse a mail: it takes the address and how many times it was offered, and gives a reply line, `CUT` to close the connection
    instead of a reply, or None. It is asked at RCPT, or behind the mail's last dot when `refuse_at` is DATA.
    """

    tls: str = "off"  # off | starttls | implicit
    context: object = None
    user: tuple[str, str] | None = None
    reply: object = None
    refuse_at: str = "RCPT"
    port: int = 0
    received: list[Received] = field(default_factory=list)
    refused: list[Received] = field(default_factory=list)
    attempts: Counter = field(default_factory=Counter)
    connections: set = field(default_factory=set)
    CUT: ClassVar[str] = "421 cut off"
    _sessions: list = field(default_factory=list)

    def start(self) -> "MailServer":
        started = threading.Event()

        async def serve():
            loop = asyncio.get_running_loop()
            ssl_context = self.context if self.tls == "implicit" else None
            self._server = await loop.create_server(self._session, "127.0.0.1", self.port, ssl=ssl_context, backlog=256)
            self.port = self._server.sockets[0].getsockname()[1]
            self._stopped = asyncio.Event()
            started.set()
            await self._stopped.wait()
            self._server.close()
            # What is just being accepted becomes a session first.
            await asyncio.sleep(0.05)
            for session in self._sessions:
                for transport in session.transport, session._original_transport:
                    if transport:
                        transport.abort()
            rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            # The loop closes the sockets in its next rounds.
            await asyncio.sleep(0.05)

        def work():
            self._loop = asyncio.new_event_loop()
            # A client that goes away in the middle of TLS is not worth a line.
            self._loop.set_exception_handler(lambda loop, context: None)
            try:
                self._loop.run_until_complete(serve())
            finally:
                self._loop.close()
                started.set()

        self._thread = threading.Thread(target=work, daemon=True)
        self._thread.start()
        assert started.wait(10) and self.port, "the mail server did not start"
        return self

    def stop(self):
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(10)

    def _session(self):
        session = SMTP(
            self, enable_SMTPUTF8=True, hostname="mail.example", timeout=60,
            tls_context=self.context if self.tls == "starttls" else None,
            require_starttls=self.tls == "starttls",
            auth_required=self.user is not None, auth_require_tls=self.tls == "starttls",
            auth_exclude_mechanism=[] if self.user else ["LOGIN", "PLAIN"],
            authenticator=self._authenticate if self.user else None)
        self._sessions.append(session)
        return session

    def _authenticate(self, server, session, envelope, mechanism, data):
        success = (data.login.decode(), data.password.decode()) == self.user
        return AuthResult(success=success, handled=success, auth_data=data.login if success else None)

    # aiosmtpd's hooks

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        session.host_name = hostname
        self.connections.add(session.peer)
        return responses

    async def handle_RCPT(self, server, session, envelope, address, options):
        self.attempts[address] += 1
        if self.refuse_at == "RCPT" and (refusal := self._refusal(address)):
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = Received(
            envelope.mail_from, list(envelope.rcpt_tos), envelope.original_content,
            encrypted=self.tls == "implicit" or session.ssl is not None, user=session.auth_data, connection=session.peer)
        refusal = self._refusal(envelope.rcpt_tos[0]) if self.refuse_at == "DATA" else None
        (self.refused if refusal else self.received).append(mail)
        if refusal == self.CUT:
            server.transport.abort()
        return refusal or "250 OK"

    def _refusal(self, address: str) -> str | None:
        return self.reply(address, self.attempts[address]) if self.reply else None

    # What tests ask

    def mails_to(self, address: str) -> list[Received]:
        return [mail for mail in self.received if mail.recipients == [address]]

    def wait_for(self, address: str, within: float = 15.0) -> Received:
        return wait_until(lambda: self.mails_to(address), within, f"a mail to {address}")[-1]

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class SMTPSink:
    """Postfix's smtp-sink, which writes each mail to a file of its own and tells about each connection."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.port = free_port()

    def __enter__(self):
        program = shutil.which("smtp-sink", path=os.environ.get("PATH", "") + ":/usr/sbin")
        assert program, "smtp-sink is missing: make install-test-deps"
        # Postfix's libraries look for their configuration, which a machine without a mail service does not have.
        (self.directory / "configuration").mkdir(parents=True)
        command = [program, "-v", "-d", "mail."]
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.directory, nobody.pw_uid, nobody.pw_gid)
            command += ["-u", "nobody"]
        with open(self.directory / "log", "wb") as log:
            self._process = subprocess.Popen(
                [*command, f"127.0.0.1:{self.port}", "256"], cwd=self.directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=os.environ | {"MAIL_CONFIG": str(self.directory / "configuration")})
        wait_until(lambda: "trying..." in self.log or self._process.poll() is not None, 10, "smtp-sink")
        assert self._process.poll() is None, self.log
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(10)

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text(errors="replace")

    @property
    def connections(self) -> int:
        return self.log.count("smtp-sink: connect (")

    @property
    def count(self) -> int:
        return self.log.count("smtp-sink: .\n")

    def mails(self) -> list[Received]:
        mails = []
        for path in self.directory.glob("mail.*"):
            envelope, _, content = path.read_bytes().partition(b"\n\tby smtp-sink")
            recipient = re.search(rb"^X-Rcpt-Args: <(.*)>", envelope, re.MULTILINE)[1].decode()
            sender = re.search(rb"^X-Mail-Args: <(.*?)>", envelope, re.MULTILINE)[1].decode()
            # Behind the trace header, two lines long from here, the mail begins.
            mails.append(Received(sender, [recipient], content.split(b"\n", 2)[2].replace(b"\n", b"\r\n")))
        return mails
