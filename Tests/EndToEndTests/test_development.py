"""What only `postern dev` offers, and that `serve` does not."""

import re

import pytest

from support import links

DOORS = [
    ("GET", "/emulator/v1/projects/example/oobCodes"), ("DELETE", "/emulator/v1/projects/example/accounts"),
    ("GET", "/emulator/v1/projects/example/config"), ("PATCH", "/emulator/v1/projects/example/config"), ("GET", "/_postern/"),
    ("GET", "/_postern/inbox.json"), ("DELETE", "/_postern/inbox.json"), ("GET", "/"),
]


@pytest.mark.parametrize("method,path", DOORS)
def test_serve_has_none_of_it(serve, method, path):
    assert serve.client.request(method, path, headers={"Host": "auth.example.com"} | serve.api.admin).status == 404


def test_the_greeting_by_which_tools_find_it(dev):
    assert dev.client.get("/").ok()["authEmulator"]["ready"] is True


def test_codes_are_listed_oldest_first_while_they_live(dev, address):
    api = dev.of("codes-listed")
    first, second = address(), address()
    made = [api.make_link(first), api.make_link(second)]
    listed = dev.client.get("/emulator/v1/projects/codes-listed/oobCodes").ok()["oobCodes"]
    assert [code["email"] for code in listed] == [first, second]
    assert [code["oobLink"] for code in listed] == made
    assert [code["oobCode"] for code in listed] == [links.code(link) for link in made]
    assert {code["requestType"] for code in listed} == {"EMAIL_SIGNIN"}
    api.complete(first, links.code(made[0])).ok()
    assert [code["email"] for code in dev.client.get("/emulator/v1/projects/codes-listed/oobCodes").ok()["oobCodes"]] == [second]


def test_accounts_are_wiped_a_project_at_a_time(dev, address):
    wiped, other = dev.of("wiped"), dev.of("not-wiped")
    email = address()
    for api in wiped, other:
        api.complete(email, links.code(api.make_link(email))).ok()
    assert dev.client.request("DELETE", "/emulator/v1/projects/wiped/accounts").ok() == {}
    assert wiped.user(email) is None and other.user(email) is not None


def test_the_configuration_is_switched(dev):
    path = "/emulator/v1/projects/switched/config"
    before = {"signIn": {"allowDuplicateEmails": False}, "emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
    assert dev.client.get(path).ok() == before
    body = '{"emailPrivacyConfig": {"enableImprovedEmailPrivacy": false}}'
    after = dev.client.request("PATCH", path, body, {"Content-Type": "application/json"}).ok()
    assert after == before | {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}} == dev.client.get(path).ok()


def test_the_inbox_lists_opens_and_empties(start_dev, address):
    dev = start_dev()
    first, second = "first+tag@mail.example", "second@mail.example"
    for email in first, second:
        dev.api.send_link(email).ok()
        dev.inbox.wait_for(email)
    mails = dev.inbox.mails()
    assert [mail["to"] for mail in mails] == [first, second] or all(email in mail["to"] for email, mail in zip((first, second), mails))
    # The page and each mail's own address; what they show comes from inbox.json.
    for path in "/_postern/", f'/_postern/inbox/{mails[0]["id"]}':
        page = dev.client.get(path)
        assert page.status == 200 and page.headers["Content-Type"] == "text/html; charset=utf-8"
        for asset in re.findall(r'(?:src|href)="(/_postern/[^"]+\.(?:js|css))"', page.text):
            assert dev.client.get(asset).status == 200
        assert "/_postern/inbox.json" in page.text
    assert dev.client.get("/_postern/inbox/nothing").status == dev.client.get("/_postern/inbox/nothing.eml").status == 404
    assert dev.client.request("DELETE", "/_postern/inbox.json").status in (200, 204)
    assert dev.inbox.mails() == []


def test_a_hostile_mail_cannot_break_out_of_the_page(dev, api, inbox):
    email = '"<script>alert(1)</script>"@mail.example'
    if api.send_link(email, "https://example.com/?a='\"").status != 200:
        email = "o'b&co@mail.example"
        api.send_link(email).ok()
    mail = inbox.wait_for(email)
    for path in "/_postern/", f"/_postern/inbox/{mail['id']}", f"/_postern/inbox/{mail['id']}.html":
        page = dev.client.get(path)
        assert page.status == 200 and "<script>alert" not in page.text
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe-eval" not in policy and "script-src 'unsafe-inline'" not in policy
    # The mail's own HTML runs no script, whoever wrote it.
    assert "sandbox" in policy and "script-src" not in policy


def test_another_site_cannot_empty_the_inbox(start_dev):
    dev = start_dev()
    dev.api.send_link("kept@mail.example").ok()
    dev.inbox.wait_for("kept@mail.example")
    for headers in {"Origin": "https://evil.test"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}:
        assert dev.client.request("DELETE", "/_postern/inbox.json", headers=headers).status == 403
        answer = dev.client.request("OPTIONS", "/emulator/v1/projects/demo-project/accounts", headers=headers | {"Access-Control-Request-Method": "DELETE"})
        assert answer.headers["Access-Control-Allow-Origin"] is None
        assert dev.client.get("/_postern/inbox.json", headers).headers["Access-Control-Allow-Origin"] is None
    assert dev.inbox.mails_to("kept@mail.example")


@pytest.mark.parametrize("host", ["evil.test", "evil.test:9099", "127.0.0.1.evil.test", "192.0.2.1", "localhost.evil.test"])
def test_dns_rebinding_finds_nothing(dev, api, host):
    for method, path in [("GET", "/_postern/inbox.json"), ("GET", "/emulator/v1/projects/demo-project/oobCodes"), ("GET", "/")]:
        answer = dev.client.request(method, path, headers={"Host": host})
        assert 400 <= answer.status < 500 and b"oobCode" not in answer.body
    answer = dev.client.post("/v1/projects/demo-project/accounts:lookup", {"email": ["a@mail.example"]}, api.admin | {"Host": host})
    assert 400 <= answer.status < 500


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "localhost:1"])
def test_loopback_names_are_answered(dev, host):
    assert dev.client.get("/_postern/inbox.json", {"Host": host}).status == 200


def test_any_project_and_any_key(dev, inbox, address):
    for key in "x", "another key", "ключ":
        email = address()
        dev.api.of("demo-project", key).send_link(email).ok()
        mail = inbox.wait_for(email)
        assert links.parse(mail["link"])["apiKey"] == key
        assert dev.client.open(mail["link"]).status == 303
    email = address()
    api = dev.of("made-on-the-fly")
    assert api.complete(email, links.code(api.make_link(email))).ok()["isNewUser"] is True
