"""Templates and pages that are saved while `dev` runs are used at once; broken ones are not."""

import http.client
import shutil
import time
from pathlib import Path

import pytest

from support.waiting import wait_until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def edited(start_dev, tmp_path):
    """A `dev` on copies of both folders."""
    for name in "Templates", "Hosting":
        shutil.copytree(ROOT / name, tmp_path / name)
    return start_dev("--templates", tmp_path / "Templates", "--hosting", tmp_path / "Hosting")


def next_event(port: int, seen: str | None, timeout: float = 20) -> tuple[str, str]:
    """One response of the event stream: the id that it names and the text."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    connection.request("GET", "/_postern/events", headers={"Last-Event-ID": seen} if seen else {})
    answer = connection.getresponse()
    assert answer.status == 200 and answer.headers["Content-Type"] == "text/event-stream"
    text = answer.read().decode()
    return next((line[4:] for line in text.splitlines() if line.startswith("id: ")), ""), text


def subject_of_a_new_mail(dev, address) -> str:
    email = address()
    dev.api.send_link(email).ok()
    return dev.inbox.wait_for(email)["subject"]


def test_a_saved_template_is_in_the_next_mail_within_half_a_second(edited, tmp_path, address):
    file = tmp_path / "Templates/signIn/en/subject.txt"
    version, _ = next_event(edited.postern.port, None)
    file.write_text("Edited: {{appName}}\n")
    saved = time.monotonic()
    news, _ = next_event(edited.postern.port, version)
    assert news != version and time.monotonic() - saved < 0.5
    assert subject_of_a_new_mail(edited, address).startswith("Edited: ")


def test_a_broken_template_is_told_and_not_used(edited, tmp_path, address):
    file = tmp_path / "Templates/signIn/en/subject.txt"
    before = subject_of_a_new_mail(edited, address)
    version, _ = next_event(edited.postern.port, None)
    good = file.read_text()
    file.write_text("Broken {{apName}}\n")
    next_event(edited.postern.port, version)
    assert subject_of_a_new_mail(edited, address) == before
    told = wait_until(lambda: "subject.txt:1:" in edited.postern.stderr and edited.postern.stderr, 5, "the mistake on standard error")
    assert "appName" in told and "Broken {{apName}}" in told
    version, _ = next_event(edited.postern.port, None)
    file.write_text("Mended " + good)
    next_event(edited.postern.port, version)
    assert subject_of_a_new_mail(edited, address).startswith("Mended ")


def test_a_saved_page_is_shown(edited, tmp_path):
    strings = tmp_path / "Hosting/strings/en.json"
    version, _ = next_event(edited.postern.port, None)
    replaced = strings.with_suffix(".new")
    replaced.write_text(strings.read_text().replace("This link is damaged", "This link is bent"))
    # As most editors save: another file takes the place.
    replaced.rename(strings)
    next_event(edited.postern.port, version)
    assert b"This link is bent" in edited.client.get("/__/auth/action?mode=signIn&oobCode=x").body


def test_a_caught_mail_is_an_event(edited, address):
    version, _ = next_event(edited.postern.port, None)
    edited.api.send_link(address()).ok()
    news, text = next_event(edited.postern.port, version)
    assert news != version and "retry: " in text and "\ndata: " in text


def test_waiting_pages_do_not_hold_up_the_end(edited):
    version, _ = next_event(edited.postern.port, None)
    connection = http.client.HTTPConnection("127.0.0.1", edited.postern.port, timeout=20)
    connection.request("GET", "/_postern/events", headers={"Last-Event-ID": version})
    time.sleep(0.2)
    begun = time.monotonic()
    assert edited.postern.stop() == 0
    assert time.monotonic() - begun < 3
    assert connection.getresponse().status == 200


def test_serve_has_no_events(serve):
    assert serve.client.get("/_postern/events").status == 404
