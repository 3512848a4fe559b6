"""Landing pages as people get them: the ways into an app, languages, a project's own looks, and what no stranger can make of them."""

import json
import re
import shutil
import socket
from html import unescape
from urllib.parse import unquote, urlencode, urlsplit

import pytest

from support import configuration, links, qr
from support.postern import ROOT
from support.waiting import wait_until

APP = {"canHandleCodeInApp": True, "iOSBundleId": "com.example.app", "androidPackageName": "com.example.app", "androidInstallApp": True}
LANGUAGES = sorted(path.stem for path in (ROOT / "Hosting/strings").glob("*.json"))
TEXTS = {language: json.loads((ROOT / f"Hosting/strings/{language}.json").read_text()) for language in LANGUAGES}


def hrefs(page) -> list[str]:
    return [unescape(href) for href in re.findall(r'<a [^>]*href="([^"]*)"', page.text)]


@pytest.mark.parametrize("length", [0, 100, 600])
def test_the_qr_code_leads_to_the_same_link(serve, address, length):
    link = serve.api.make_link(address(), "https://example.com/done?a=" + "b" * length, **APP)
    page = serve.client.open(link)
    assert page.status == 200
    assert qr.read(page.text) == link


def test_a_link_too_long_for_a_code_has_none(serve, address):
    link = serve.api.make_link(address(), "https://example.com/done?a=" + "%25" * 600, **APP)
    assert len(link) > 2953
    page = serve.client.open(link)
    assert page.status == 200 and "<svg" not in page.text and link in page.text.replace("&amp;", "&")


def test_the_ways_into_the_app(start_serve, address):
    """Two link domains: the page on one leads to the other, since Safari opens no app from a page of the same host."""
    service = start_serve(
        {"url": "smtp://127.0.0.1:9", "tls": "off"},
        configuration.project("example", linkDomains=["links.example.com", "open.example.com"], apps={
            "ios": [{"bundleID": "com.example.app", "teamID": "ABCDE12345", "appStoreID": "123456789"}],
            "android": [{"packageName": "com.example.app", "sha256CertFingerprints": [configuration.FINGERPRINT]}],
        }))
    link = service.api.make_link(address(), **APP)
    assert urlsplit(link).hostname == "links.example.com"
    there = hrefs(service.client.open(link))
    other = link.replace("links.", "open.", 1)
    assert other in there
    back = hrefs(service.client.open(other))
    assert link in back and other not in back
    [intent] = [href for href in there if href.startswith("intent:")]
    target, extras = intent.removeprefix("intent://").split("#Intent;")
    assert "https://" + target == link
    assert extras.endswith(";end")
    extras = dict(item.split("=", 1) for item in extras.removesuffix(";end").split(";"))
    assert extras == {
        "scheme": "https", "package": "com.example.app", "S.browser_fallback_url": extras["S.browser_fallback_url"]}
    assert unquote(extras["S.browser_fallback_url"]) == link + "#get-app"
    assert service.client.open(link).text.count('id="get-app"') == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language(serve, address, language):
    email = address()
    answer = serve.client.post(
        "/v1/projects/example/accounts:sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "https://example.com/", "returnOobLink": True, **APP},
        serve.api.admin | {"X-Firebase-Locale": language})
    page = serve.client.open(answer.ok()["oobLink"], headers={"Accept-Language": "en"})
    direction = "rtl" if language in ("ar", "he") else "ltr"
    assert f'<html lang="{language}" dir="{direction}">' in page.text
    assert f"<h1>{TEXTS[language]['openAppHeading']}</h1>" in page.text


def test_the_language_of_a_page_without_a_link(serve):
    page = lambda accept: serve.client.get("/__/auth/action", {"Host": "auth.example.com", "Accept-Language": accept}).text
    assert 'lang="de"' in page("de-AT, en;q=0.5") and 'lang="pt-BR"' in page("pt-BR;q=0.9") and 'lang="en"' in page("xx")


def test_an_operator_adds_a_language(start_serve, tmp_path):
    hosting = tmp_path / "hosting"
    shutil.copytree(ROOT / "Hosting", hosting)
    (hosting / "strings/fi.json").write_text(json.dumps({name: "FI " + text for name, text in TEXTS["en"].items()}))
    service = start_serve({"url": "smtp://127.0.0.1:9", "tls": "off"}, hosting=str(hosting))
    page = service.client.get("/__/auth/action", {"Host": "auth.example.com", "Accept-Language": "fi-FI"})
    assert '<html lang="fi" dir="ltr">' in page.text and "<h1>FI " in page.text


def test_the_projects_language_comes_last(start_serve):
    service = start_serve({"url": "smtp://127.0.0.1:9", "tls": "off"}, configuration.project("example", defaultLocale="fr"))
    page = lambda accept: service.client.get("/__/auth/action?apiKey=example-key", {"Host": "auth.example.com", "Accept-Language": accept}).text
    assert 'lang="fr"' in page("xx") and 'lang="de"' in page("de")


def test_logo_and_colour(start_serve, tmp_path):
    logo = tmp_path / "logo.svg"
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>')
    service = start_serve(
        {"url": "smtp://127.0.0.1:9", "tls": "off"},
        configuration.project("example", pages={"logo": str(logo), "accentColor": "#0a66c2"}))
    page = service.client.get("/__/auth/action?apiKey=example-key", {"Host": "auth.example.com"})
    [source] = re.findall(r'<img class="logo" src="([^"]*)"', page.text)
    answer = service.client.get(source, {"Host": "auth.example.com"})
    assert answer.status == 200 and answer.headers["Content-Type"] == "image/svg+xml" and answer.body == logo.read_bytes()
    again = service.client.get(source, {"Host": "auth.example.com", "If-None-Match": answer.headers["ETag"]})
    assert again.status == 304
    sheets = re.findall(r'rel="stylesheet" href="([^"]*)"', page.text)
    assert "#0a66c2" in service.client.get(sheets[1], {"Host": "auth.example.com"}).text
    assert service.client.get("/__/auth/logo/other", {"Host": "auth.example.com"}).status == 404


def test_absolute_targets_name_no_host(serve, address):
    """The request target may be a whole URL (RFC 9112 §3.2.2); nothing in the answer comes from it."""
    link = serve.api.make_link(address(), **APP)
    target = link.removeprefix("https://links.example.com")
    whole = serve.client.open(link).text
    for absolute in "http://evil.test", "https://evil.test", "https://links.example.com.evil.test", "https://links.example.com":
        answer = serve.client.get(absolute + target, {"Host": "links.example.com"})
        assert answer.status >= 400 or answer.text == whole, absolute
        assert "evil" not in answer.text and answer.headers["Location"] is None


def test_two_hosts_are_none(serve, address):
    link = serve.api.make_link(address(), **APP)
    parts = urlsplit(link)
    with socket.create_connection((serve.client.host, serve.client.port), timeout=10) as connection:
        request = f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nHost: evil.test\r\nConnection: close\r\n\r\n"
        connection.sendall(request.encode())
        answer = b""
        while more := connection.recv(65536):
            answer += more
    assert b"evil" not in answer


def test_long_links(serve):
    for length in 3_000, 10_000:
        answer = serve.client.get("/__/auth/links?link=" + "a" * length, {"Host": configuration.LINK_DOMAIN})
        assert 400 <= answer.status < 500 and answer.headers["Location"] is None
        if answer.headers["Content-Type"].startswith("text/html"):
            assert "<h1>" in answer.text and "<a " not in answer.text


def test_who_takes_an_address_back_gets_a_new_password(serve, address):
    email, thief = address(), address("thief")
    token = serve.api.call("signUp", email=email, password="known to the thief").ok()["idToken"]
    serve.api.call("sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", idToken=token, newEmail=thief).ok()
    serve.api.call("update", oobCode=links.code(serve.mail.wait_for(thief).link)).ok()
    link = serve.mail.wait_for(email).link

    def press(page):
        form = {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text)}
        return serve.client.request("POST", "/__/auth/action", urlencode(form), {
            "Host": "auth.example.com", "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", "Origin": "null"})

    done = press(serve.client.open(link))
    assert done.status == 200 and TEXTS["en"]["emailRecoveredHeading"] in done.text and email not in done.text
    sent = press(done)
    assert sent.status == 200 and TEXTS["en"]["resetSentHeading"] in sent.text
    mail = wait_until(lambda: len(mails := serve.mail.mails_to(email)) > 1 and mails, 15, "the second mail")[-1]
    assert links.parse(mail.link)["mode"] == "resetPassword"
    serve.api.call("resetPassword", oobCode=links.code(mail.link), newPassword="mine again").ok()
    assert serve.api.call("signInWithPassword", email=email, password="mine again").status == 200
