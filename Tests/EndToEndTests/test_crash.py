"""kill -9 at any moment: what was accepted is delivered, and what was promised is kept."""

import threading
from collections import defaultdict

import pytest

from support import configuration, links
from support.waiting import wait_until


class Burst:
    """Threads that ask for links until the server is gone."""

    def __init__(self, service, threads: int = 8):
        self.accepted: list[str] = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._send, args=(service.api, number), daemon=True) for number in range(threads)]
        for thread in self._threads:
            thread.start()

    def _send(self, api, thread: int):
        for number in range(5000):
            if self._stop.is_set():
                return
            email = f"burst-{id(self)}-{thread}-{number}@mail.example"
            try:
                answer = api.send_link(email)
            except (OSError, Exception):  # the server was killed: nothing was promised
                return
            assert answer.status == 200
            self.accepted.append(email)

    def end(self):
        self._stop.set()
        for thread in self._threads:
            thread.join(20)


@pytest.mark.parametrize("at", [60, 250], ids=lambda at: f"after {at}")
def test_no_accepted_mail_is_lost(start_serve, mail_server, at):
    mail = mail_server()
    service = start_serve(configuration.smtp(mail.port))
    burst = Burst(service)
    wait_until(lambda: len(burst.accepted) >= at, 30, "the burst")
    service.postern.kill()
    burst.end()
    accepted = set(burst.accepted)
    assert len(accepted) >= at

    service.postern.start()
    wait_until(lambda: accepted <= {received.recipients[0] for received in mail.received}, 60, "every accepted mail")
    ids = defaultdict(list)
    for received in list(mail.received):
        ids[received.recipients[0]].append(received)
    doubled = {email: mails for email, mails in ids.items() if len(mails) > 1}
    for email, mails in doubled.items():
        assert len({mail.message_id for mail in mails}) == 1, f"{email} got two different mails"
        assert len({links.code(mail.link) for mail in mails}) == 1
    # At most the ones that were in DATA: one a connection.
    assert len(doubled) <= 8
    # A link of before the crash works after it.
    email = next(iter(accepted))
    assert service.api.complete(email, links.code(ids[email][0].link)).ok()["isNewUser"] is True


def test_what_was_completed_stays_completed(start_serve, mail_server, address):
    service = start_serve(configuration.smtp(mail_server().port))
    email = address()
    link = service.api.make_link(email)
    signed_in = service.api.complete(email, links.code(link)).ok()
    service.postern.kill()
    service.postern.start()
    assert service.api.complete(email, links.code(link)).code() == "INVALID_OOB_CODE"
    assert service.api.user(email)["localId"] == signed_in["localId"]
    assert service.api.refresh(signed_in["refreshToken"]).ok()["user_id"] == signed_in["localId"]
    # The same keys sign.
    assert service.api.call("lookup", idToken=signed_in["idToken"]).ok()["users"]


def test_killed_again_and_again(start_serve, mail_server, address):
    mail = mail_server()
    service = start_serve(configuration.smtp(mail.port))
    accepted = []
    for _ in range(4):
        for _ in range(10):
            accepted.append(address())
            service.api.send_link(accepted[-1]).ok()
        service.postern.kill()
        service.postern.start()
    wait_until(lambda: set(accepted) <= {received.recipients[0] for received in mail.received}, 30, "every accepted mail")
