"""The parts that tests share. Nothing here listens or connects outside loopback."""

import itertools
import ssl
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest
import trustme

from support import configuration
from support.browser import Browser
from support.client import API, Client
from support.edge import TLSProxy, WebSite, public_key_digest, tls_context
from support.mail import MailServer, parse
from support.postern import BINARY, Postern
from support.waiting import wait_until


def pytest_sessionstart(session):
    if not session.config.option.collectonly and not BINARY.exists():
        pytest.exit(f"{BINARY} does not exist; build it with: make build", returncode=1)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


# Addresses

_numbers = itertools.count(1)


@pytest.fixture
def address():
    """Makes addresses that no other test uses."""
    return lambda name="person": f"{name}-{next(_numbers)}-{uuid.uuid4().hex[:6]}@mail.example"


# postern dev


@dataclass
class Inbox:
    """The mails that `postern dev` caught."""

    client: Client

    def mails(self) -> list[dict]:
        return self.client.get("/_postern/inbox.json").ok()

    def mails_to(self, address: str) -> list[dict]:
        return [mail for mail in self.mails() if address in mail["to"]]

    def wait_for(self, address: str, count: int = 1, within: float = 10.0) -> dict:
        """The newest mail to an address, once there are `count`."""
        mails = wait_until(
            lambda: len(found := self.mails_to(address)) >= count and found, within, f"{count} mail(s) to {address} in the inbox")
        assert len(mails) == count
        return mails[-1]

    def content(self, mail: dict) -> bytes:
        answer = self.client.get(f"/_postern/inbox/{mail['id']}.eml")
        assert answer.status == 200 and answer.headers["Content-Type"].startswith("message/rfc822")
        return answer.body

    def message(self, mail: dict):
        return parse(self.content(mail))


@dataclass
class Development:
    """A running `postern dev`, with its API for the default project."""

    postern: Postern
    data: Path
    api: API

    @property
    def client(self) -> Client:
        return self.api.client

    @property
    def inbox(self) -> Inbox:
        return Inbox(self.client)

    def of(self, project: str) -> API:
        """The API of another project; a privileged call by its name is what makes it in `dev`."""
        return self.api.of(project, f"dev-key-{project}")


def _development(directory: Path, *arguments, environment=None) -> Development:
    data = directory / "data"
    postern = Postern("dev", "--port", 0, "--data", data, *arguments, directory=directory, environment=environment).start()
    client = Client(postern.url)
    return Development(postern, data, API(client, "any-key", "demo-project", "owner"))


@pytest.fixture(scope="session")
def dev(tmp_path_factory):
    """The `postern dev` that most tests share: no configuration, as a newcomer starts it."""
    development = _development(tmp_path_factory.mktemp("dev"))
    yield development
    assert development.postern.is_running, "postern dev ended during the tests:\n" + development.postern.stderr[-4000:]
    assert development.postern.stop() == 0


@pytest.fixture
def api(dev) -> API:
    return dev.api


@pytest.fixture
def inbox(dev) -> Inbox:
    return dev.inbox


@pytest.fixture
def start_dev(tmp_path):
    """Starts a `postern dev` of the test's own."""
    started = []

    def start(*arguments, environment=None, name="dev") -> Development:
        started.append(_development(tmp_path / f"{name}-{len(started)}", *arguments, environment=environment))
        return started[-1]

    yield start
    for development in started:
        development.postern.kill()


# postern serve


@dataclass
class Service:
    """A running `postern serve`, with its API for its first project and the mail server it sends to."""

    postern: Postern
    config: Path
    data: Path
    settings: dict
    mail: MailServer | None = None

    @property
    def client(self) -> Client:
        return Client(self.postern.url)

    @property
    def api(self) -> API:
        first = self.settings["projects"][0]
        return API(self.client, first["apiKeys"][0], first["id"], configuration.ADMIN_TOKEN)

    def of(self, project: str) -> API:
        return self.api.of(project, f"{project}-key")


def _service(directory: Path, mail: dict, projects: list[dict], environment=None, **changes) -> Service:
    data = directory / "data"
    data.mkdir(parents=True)
    settings = configuration.service(data, mail, projects, **changes)
    config = configuration.write(directory / "postern.json5", settings)
    return Service(Postern("serve", "--config", config, directory=directory, environment=environment), config, data, settings)


@pytest.fixture(scope="session")
def serve(tmp_path_factory, start_of_session):
    """The `postern serve` that most tests share, with projects for every case."""
    apps = {
        "ios": [{"bundleID": "com.example.app", "teamID": "ABCDE12345", "appStoreID": "123456789"}],
        "android": [{"packageName": "com.example.app", "sha256CertFingerprints": [configuration.FINGERPRINT]}],
    }
    plain_apps = {
        "ios": [{"bundleID": "com.example.plain", "teamID": "ABCDE12345"}],
        "android": [{"packageName": "com.example.plain", "sha256CertFingerprints": [configuration.FINGERPRINT]}],
    }
    projects = [
        configuration.project(
            "example", authorizedDomains=["example.com", "localhost", "app.example.co.uk"],
            linkDomains=[configuration.LINK_DOMAIN], apps=apps),
        configuration.project("plain", apps=plain_apps),
        configuration.project("closed", allowSignUp=False),
        configuration.project("linkless", emailLinkSignIn=False, passwordSignIn=False),
        configuration.project("brief", codeLifetimes={"signIn": "60s"}),
    ]
    with MailServer(reply=start_of_session.reply, refuse_at="DATA") as mail:
        service = _service(tmp_path_factory.mktemp("serve"), configuration.smtp(mail.port), projects)
        service.postern.start()
        service.mail = mail
        yield service
        assert service.postern.is_running, "postern serve ended during the tests:\n" + service.postern.stderr[-4000:]
        assert service.postern.stop() == 0


@pytest.fixture
def start_serve(tmp_path):
    """Starts a `postern serve` of the test's own; `start=False` leaves that to the test."""
    made = []

    def make(mail: dict | list, *projects: dict, start=True, **changes) -> Service:
        service = _service(tmp_path / f"serve-{len(made)}", mail, list(projects) or [configuration.project("example")], **changes)
        made.append(service)
        if start:
            service.postern.start()
        return service

    yield make
    for service in made:
        service.postern.kill()


# Mail servers


@pytest.fixture(scope="session")
def authority():
    """A certificate authority that lives as long as the session."""
    return trustme.CA()


@pytest.fixture(scope="session")
def ca_file(authority, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("authority") / "ca.pem"
    authority.cert_pem.write_to_path(path)
    return path


@pytest.fixture(scope="session")
def server_context(authority):
    """Makes the TLS side of a server, with a certificate for `names`."""

    def make(*names, by=authority) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        by.issue_cert(*names).configure_cert(context)
        return context

    return make


@pytest.fixture
def mail_server():
    """Starts mail servers that end with the test."""
    servers = []

    def start(**settings) -> MailServer:
        servers.append(MailServer(**settings).start())
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


# A browser, and what stands between it and Postern


@pytest.fixture(scope="session")
def web_certificate(authority):
    return authority.issue_cert("auth.example.com", configuration.LINK_DOMAIN, "example.com")


@pytest.fixture(scope="session")
def app_site(web_certificate):
    """The web site at example.com, where links lead in the end."""
    with WebSite(tls_context(web_certificate)) as site:
        yield site


@pytest.fixture(scope="session")
def browser(serve, dev, app_site, web_certificate, tmp_path_factory):
    """One Chromium for all tests. It finds the hosts of `serve` by https, example.com, a name that leads to `dev`, and nothing else but loopback."""
    with TLSProxy(tls_context(web_certificate), serve.postern.port) as proxy:
        hosts = {
            "auth.example.com:443": proxy.port, f"{configuration.LINK_DOMAIN}:443": proxy.port, "example.com:443": app_site.port,
            "rebound.example.com:80": dev.postern.port,
        }
        chromium = Browser(tmp_path_factory.mktemp("browser"), hosts, [public_key_digest(web_certificate)])
        yield chromium
        chromium.quit()


# What takes a minute by nature is begun at the start and looked at in the end


@dataclass
class StartOfSession:
    """A mail that is deferred once, and a link that lives for a minute."""

    began: float
    deferred: str = "deferred@mail.example"
    expiring: str = "expiring@mail.example"
    link: str = ""

    def reply(self, address: str, attempt: int) -> str | None:
        return "451 4.7.1 Greylisted" if address == self.deferred and attempt == 1 else None


@pytest.fixture(scope="session")
def start_of_session() -> StartOfSession:
    return StartOfSession(time.monotonic())


@pytest.fixture(scope="session", autouse=True)
def begin(request, start_of_session):
    """Begins them, if a test that was chosen looks at them."""
    if any(item.get_closest_marker("last") for item in request.session.items):
        service = request.getfixturevalue("serve")
        service.api.send_link(start_of_session.deferred).ok()
        start_of_session.link = service.of("brief").make_link(start_of_session.expiring)
