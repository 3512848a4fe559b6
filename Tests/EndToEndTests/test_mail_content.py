"""What other programs make of the mails: every mail that is sent, in every language, read strictly, checked as HTML and scored as spam."""

import email
import email.policy
import re
import subprocess
from pathlib import Path

import pytest

from support import configuration, links
from support.client import API, Client
from support.mail import MailServer, html_of, link_in, links_in_html, text_of
from support.postern import Postern
from support.waiting import wait_until

TEMPLATES = Path(__file__).parents[2] / "Templates"
LANGUAGES = sorted(folder.name for folder in (TEMPLATES / "signIn").iterdir())
RIGHT_TO_LEFT = {"ar", "he"}
MODES = ["signIn", "verifyEmail", "resetPassword", "verifyAndChangeEmail", "recoverEmail"]
STRICT = email.policy.SMTP + email.policy.strict

# What mail programs still need and HTML5 calls obsolete; tidy says so for each.
NEEDED_BY_MAIL = re.compile(r'Warning: <(table|td|tr)> attribute "(cellpadding|cellspacing|border|width|align|bgcolor)" not allowed for HTML5')


def project_of(language: str) -> str:
    return "mail-" + language.lower()


@pytest.fixture(scope="module")
def mails(tmp_path_factory):
    """Each mail as it came to a mail server, by mode and language."""
    data = tmp_path_factory.mktemp("content")
    projects = [
        configuration.project(project_of(language), displayName="Example", defaultLocale=language, authorizedDomains=["example.com"])
        for language in LANGUAGES
    ]
    with MailServer() as server:
        settings = configuration.service(data, configuration.smtp(server.port), projects)
        postern = Postern("serve", "--config", configuration.write(data / "postern.json5", settings), directory=data).start()
        try:
            for language in LANGUAGES:
                ask_for_all(Client(postern.url), language)
            wait_until(lambda: len(server.received) >= len(MODES) * len(LANGUAGES), 30, "all mails")
        finally:
            postern.kill()
    received = {}
    for mail in server.received:
        mode, language = mail.message["Feedback-ID"].split(":")[0], mail.message["Content-Language"]
        received[mode, language] = mail.content
    assert set(received) == {(mode, language) for mode in MODES for language in LANGUAGES}
    return received


def ask_for_all(client: Client, language: str):
    """One mail of each mode; the request names the language where there is one, else it is the project's."""
    project = project_of(language)
    api = API(client, f"{project}-key", project, configuration.ADMIN_TOKEN)
    other = API(client, f"{project_of('en')}-key", project_of("en"), configuration.ADMIN_TOKEN)
    header = {"X-Firebase-Locale": language, "Accept-Language": "en"}

    def ask(**body):
        other.client.post(f"/v1/accounts:sendOobCode?key={other.key}", body, header).ok()

    name = language.lower()
    account = other.call("signUp", email=f"ask-{name}@mail.example", password="a password", returnSecureToken=True).ok()
    ask(requestType="EMAIL_SIGNIN", email=f"sign-{name}@mail.example", continueUrl="https://example.com/finish")
    ask(requestType="PASSWORD_RESET", email=f"ask-{name}@mail.example")
    ask(requestType="VERIFY_EMAIL", idToken=account["idToken"])
    ask(requestType="VERIFY_AND_CHANGE_EMAIL", idToken=account["idToken"], newEmail=f"new-{name}@mail.example")

    changing = api.call("signUp", email="old@mail.example", password="a password", returnSecureToken=True).ok()
    link = api.admin_call(
        "sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", idToken=changing["idToken"], newEmail="new@mail.example",
        returnOobLink=True).ok()["oobLink"]
    api.call("update", oobCode=links.code(link)).ok()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", MODES)
def test_a_strict_reader_finds_nothing_to_forgive(mails, mode, language):
    content = mails[mode, language]
    assert len(content) < 60_000
    assert all(len(line) <= 78 for line in content.split(b"\r\n")), "no line is folded or broken by anybody else"
    message = email.message_from_bytes(content, policy=STRICT)
    for name, value in message.items():
        assert not value.defects, f"{name}: {value.defects}"
    assert len(message["To"].addresses) == 1 and len(message.get_all("From")) == 1
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Subject"] == (TEMPLATES / mode / language / "subject.txt").read_text().strip().replace("{{appName}}", "Example")
    assert [part.get_content_type() for part in message.walk()] == ["multipart/alternative", "text/plain", "text/html"]
    for part in message.iter_parts():
        assert part.get_content_charset() == "utf-8" and not part.defects
        assert "\ufffd" not in part.get_content(errors="strict")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", MODES)
def test_both_parts_say_the_same(mails, mode, language):
    message = email.message_from_bytes(mails[mode, language], policy=STRICT)
    text, html = text_of(message), html_of(message)
    link = link_in(message)
    assert f'<html lang="{language}" dir="{"rtl" if language in RIGHT_TO_LEFT else "ltr"}">' in html
    visible = re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(https?:[^<]*)</a>', html)
    assert visible and all(target == shown for target, shown in visible), "what is shown is where it leads"
    assert link in links_in_html(html)
    # Values and words of the language, in both.
    assert "{{" not in text + html and "Example" in text and "Example" in html
    assert re.search(r"\d\d:\d\d", text) and re.search(r"\d\d:\d\d", html)


@pytest.mark.parametrize("mode", MODES)
def test_tidy_finds_nothing_that_is_ours(mails, mode):
    for language in LANGUAGES:
        html = html_of(email.message_from_bytes(mails[mode, language], policy=STRICT))
        result = subprocess.run(["tidy", "-errors", "-quiet", "-utf8"], input=html.encode(), capture_output=True, timeout=20)
        complaints = [line for line in result.stderr.decode().splitlines() if line and not NEEDED_BY_MAIL.search(line)]
        assert complaints == [], f"{mode}/{language}"


@pytest.mark.slow
def test_spamassassin_finds_nothing_that_is_ours(mails, tmp_path):
    mbox = b"".join(
        b"From sender@example.com Thu Jan  1 00:00:00 2026\n" + re.sub(rb"(?m)^From ", b">From ", content.replace(b"\r\n", b"\n")) + b"\n"
        for content in mails.values())
    command = ["spamassassin", "--local", "--mbox", "--prefspath", str(tmp_path / "prefs")]
    (tmp_path / "prefs").write_text("use_bayes 0\n")
    result = subprocess.run(
        command, input=mbox, capture_output=True, timeout=100, env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(tmp_path)})
    assert result.returncode == 0, result.stderr.decode()
    # Each message with its verdict among its header fields; they do not come out in the order in which they went in.
    messages = re.split(rb"(?m)^(?=From sender@example\.com )", result.stdout)[1:]
    assert len(messages) == len(mails)
    for message in map(email.message_from_bytes, (message.split(b"\n", 1)[1] for message in messages)):
        name = message["Feedback-ID"]
        status = re.fullmatch(r"\w+, score=(-?[\d.]+) .*?tests=(.*?)\s+autolearn.*", message["X-Spam-Status"], re.S)
        score, rules = status[1], re.split(r",\s*", status[2])
        ours = [rule for rule in rules if rule.startswith("MISSING_") or rule.endswith("_SHORT") or rule in ("MIME_HTML_ONLY", "HTML_IMAGE_ONLY")]
        assert float(score) <= 0.5 and not ours, f"{name}: {score} {rules}"
