"""What people see who open a link: nothing is spent by looking, nothing can be bent, and every state has its page."""

import random
import time
from urllib.parse import parse_qsl, quote, urlsplit

import pytest

from support import configuration, links
from support.waiting import wait_until

APP = {"canHandleCodeInApp": True, "iOSBundleId": "com.example.app", "androidPackageName": "com.example.app"}
SECURITY_HEADERS = {
    "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow", "Cross-Origin-Opener-Policy": "same-origin",
}


def assert_page(response, status: int):
    assert response.status == status
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Location"] is None
    assert_secure(response)


def assert_secure(response):
    for name, value in SECURITY_HEADERS.items():
        assert response.headers[name] == value, name
    policy = response.headers["Content-Security-Policy"]
    for directive in "default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'":
        assert directive in policy
    assert "unsafe" not in policy and "*" not in policy


@pytest.mark.parametrize("settings", [{}, APP], ids=["web", "app"])
def test_looking_is_not_doing(serve, address, settings):
    email = address()
    link = serve.api.make_link(email, **settings)
    before = serve.api.admin_call("lookup", email=[email]).ok()
    answers = [serve.client.open(link, method) for _ in range(20) for method in ("GET", "HEAD")]
    assert {answer.status for answer in answers} == {200 if settings else 303}
    assert all(answer.body == b"" for answer in answers[1::2])
    assert {name: answers[0].headers[name] for name in SECURITY_HEADERS} == {name: answers[1].headers[name] for name in SECURITY_HEADERS}
    assert serve.api.admin_call("lookup", email=[email]).ok() == before
    assert serve.mail.mails_to(email) == []
    serve.api.complete(email, links.code(link)).ok()


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_no_other_verb_does_anything(serve, address, method):
    email = address()
    link = serve.api.make_link(email)
    assert 400 <= serve.client.open(link, method).status < 500
    serve.api.complete(email, links.code(link)).ok()


def test_a_web_link_goes_on_to_its_continue_url(serve, address):
    email = address()
    url = "https://app.example.co.uk/done?a=%2F+%20&mode=evil&b=&oobCode=evil&lang=xx&lang=yy&apiKey=evil#part/1?mode=evil"
    link = serve.api.make_link(email, url)
    answer = serve.client.open(link)
    assert answer.status == 303 and answer.body == b""
    assert_secure(answer)
    target = urlsplit(answer.headers["Location"])
    assert target._replace(query="").geturl() == "https://app.example.co.uk/done#part/1?mode=evil"
    assert target.query.startswith("a=%2F+%20&"), "its own parameters stay as they were written"
    items = parse_qsl(target.query, keep_blank_values=True)
    assert [item for item in items if item[0] in ("a", "b")] == [("a", "/  "), ("b", "")]
    assert sorted(item for item in items if item[0] not in ("a", "b")) == [
        ("apiKey", "example-key"), ("lang", "en"), ("mode", "signIn"), ("oobCode", links.code(link))]


def test_an_app_link_offers_the_app_and_the_web(serve, address):
    link = serve.api.make_link(address(), "https://example.com/done", **APP)
    assert link.startswith(f"https://{configuration.LINK_DOMAIN}/__/auth/links?link=")
    page = serve.client.open(link)
    assert_page(page, 200)
    assert "The example app" in page.text
    hrefs = [part.split('"')[0].replace("&amp;", "&") for part in page.text.split('href="')[1:]]
    onward = next(href for href in hrefs if href.startswith("https://example.com/done?"))
    assert dict(parse_qsl(urlsplit(onward).query))["oobCode"] == links.code(link)
    assert any(href == link for href in hrefs), "a way on into the app"
    assert "<script" not in page.text and 'http-equiv="refresh"' not in page.text.lower()
    # The inner link, opened directly, shows the same page.
    assert_page(serve.client.open(links.parse(link).url), 200)


def test_a_used_link(serve, address):
    email = address()
    link = serve.api.make_link(email)
    serve.api.complete(email, links.code(link)).ok()
    page = serve.client.open(link)
    assert_page(page, 410)
    assert email not in page.text and links.code(link) not in page.text


def flips(text: str, count: int, seed: int):
    """The text with one character changed, at `count` places."""
    source = random.Random(seed)
    for place in sorted(source.sample(range(len(text)), min(count, len(text)))):
        other = source.choice([c for c in "ABCabc019-_.%&=" if c != text[place]])
        yield text[:place] + other + text[place + 1:]


@pytest.mark.parametrize("settings", [{}, APP], ids=["web", "app"])
def test_a_changed_link_leads_nowhere(serve, address, settings):
    email = address()
    link = serve.api.make_link(email, "https://example.com/done?a=1", **settings)
    host = urlsplit(link).netloc
    target = link.split(host, 1)[1]
    for changed in flips(target, 60, seed=1):
        answer = serve.client.get(changed, {"Host": host})
        assert 400 <= answer.status < 500, changed
        assert answer.headers["Location"] is None
    serve.api.complete(email, links.code(link)).ok()


def test_a_changed_code_is_no_code(serve, address):
    email = address()
    code = links.code(serve.api.make_link(email))
    for changed in [*flips(code, 60, seed=2), code[:-1], code + "A", code + "=", code[1:], code.swapcase(), ""]:
        assert serve.api.complete(email, changed).code() in ("INVALID_OOB_CODE", "MISSING_OOB_CODE"), changed
    serve.api.complete(email, code).ok()


def test_parameters_cannot_be_added_dropped_or_moved(serve, address):
    link = serve.api.make_link(address(), "https://example.com/done")
    base, query = link.split("?")
    items = query.split("&")
    for number in range(len(items)):
        without = items[:number] + items[number + 1:]
        for changed in without, items[:number] + [items[number]] + items[number:], without + [items[number]]:
            if changed != items:
                assert_page(serve.client.open(base + "?" + "&".join(changed)), 400)
    for more in "&continueUrl=https%3A%2F%2Fevil.test%2F", "&x=1", "&", "&mode=signIn":
        assert_page(serve.client.open(link + more), 400)
    for nothing in "", "?", "?mode=signIn", "?apiKey=example-key", "?apiKey=other&mode=signIn&oobCode=x":
        assert_page(serve.client.open(base + nothing), 400)


def test_a_link_of_another_secret_is_refused(serve, start_serve, address):
    foreign = start_serve(
        {"url": "smtp://127.0.0.1:9", "tls": "off"}, *serve.settings["projects"], secrets=["another-secret-0123456789-0123456789"])
    email = address()
    link = foreign.api.make_link(email)
    assert foreign.client.open(link).status == 303
    assert_page(serve.client.open(link), 400)
    assert serve.api.complete(email, links.code(link)).code() == "INVALID_OOB_CODE"


@pytest.mark.parametrize("inner", [
    "https://evil.test/", "https://auth.example.com.evil.test/__/auth/action?apiKey=example-key", "javascript:alert(1)",
    "https://auth.example.com/", "https://auth.example.com/__/auth/links?link=x", "//evil.test/", "https://example.com/done",
    "https://auth.example.com/__/auth/action?apiKey=example-key&continueUrl=https%3A%2F%2Fevil.test%2F&lang=en&sig=x&mode=signIn&oobCode=x",
    "http://auth.example.com/__/auth/action?apiKey=example-key", "https://auth.example.com@evil.test/__/auth/action?apiKey=example-key",
    "",
])
def test_app_links_unwrap_only_our_own(serve, inner):
    for query in f"link={quote(inner, safe='')}", f"link={inner}", f"link={quote(inner, safe='')}&link=x", f"a=b&link={quote(inner, safe='')}":
        if query.endswith("="):
            continue
        answer = serve.client.get(f"/__/auth/links?{quote(query, safe='%=&:/?@().')}", {"Host": configuration.LINK_DOMAIN})
        assert_page(answer, 400)
        assert "evil.test" not in answer.text


def test_the_signed_inner_link_on_a_foreign_base_is_refused(serve, address):
    link = links.parse(serve.api.make_link(address(), **APP)).url
    evil = link.replace("https://auth.example.com", "https://evil.test")
    assert_page(serve.client.get(f"/__/auth/links?link={quote(evil, safe='')}", {"Host": configuration.LINK_DOMAIN}), 400)


@pytest.mark.parametrize("host", ["evil.test", "auth.example.com.evil.test", "sub.auth.example.com", "127.0.0.1", "localhost", "", "auth.example.com."])
def test_pages_are_answered_on_configured_hosts_only(serve, address, host):
    link = serve.api.make_link(address())
    target = link.split("auth.example.com", 1)[1]
    answer = serve.client.get(target, {"Host": host})
    assert 400 <= answer.status < 500
    assert answer.headers["Location"] is None


def test_links_never_follow_the_host_header(serve, address):
    email = address()
    body = {"requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "https://example.com/", "returnOobLink": True}
    headers = serve.api.admin | {"Host": "evil.test", "X-Forwarded-Host": "evil.test", "Forwarded": "host=evil.test"}
    answer = serve.client.post("/v1/projects/example/accounts:sendOobCode", body, headers)
    assert answer.status >= 400 or answer.ok()["oobLink"].startswith("https://auth.example.com/__/auth/action?")


def test_the_style_sheet_of_the_pages(serve):
    page = serve.client.get("/__/auth/action", {"Host": "auth.example.com"})
    assert_page(page, 400)
    [sheet] = [part.split('"')[0] for part in page.text.split('rel="stylesheet" href="')[1:]]
    answer = serve.client.get(sheet, {"Host": "auth.example.com"})
    assert answer.status == 200 and answer.headers["Content-Type"].startswith("text/css")


def test_a_mistyped_page_is_a_page(serve):
    assert_page(serve.client.get("/__/auth/actoin", {"Host": "auth.example.com"}), 404)


def test_https_is_kept_where_it_is_used(serve, dev, api, address):
    assert "max-age" in serve.client.open(serve.api.make_link(address())).headers["Strict-Transport-Security"]
    assert dev.client.open(api.make_link(address())).headers["Strict-Transport-Security"] is None


@pytest.mark.last
@pytest.mark.slow
def test_an_expired_link(serve, start_of_session):
    brief = serve.of("brief")
    link = start_of_session.link
    wait_until(lambda: serve.client.open(link).status != 303, within=70 - min(60, time.monotonic() - start_of_session.began), what="expiry", every=0.2)
    page = serve.client.open(link)
    assert_page(page, 410)
    assert "expired" in page.text
    assert brief.complete(start_of_session.expiring, links.code(link)).code() == "EXPIRED_OOB_CODE"
    # An altered link never passes for an expired one.
    assert_page(serve.client.open(link.replace("lang=en", "lang=fr")), 400)
    assert brief.complete(start_of_session.expiring, links.code(link)[:-1] + "A").code() in ("INVALID_OOB_CODE", "EXPIRED_OOB_CODE")
