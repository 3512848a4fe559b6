"""The main job on real input: ask for a link, read the mail, open the link, sign in, verify the token, refresh, look up, delete."""

import re
import time
from datetime import datetime, timezone
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from cryptography import x509

from support import links, tokens
from support.client import IDENTITY, LEGACY
from support.mail import html_of, link_in, links_in_html, text_of

KEY = "?key=any-key"


def test_from_the_request_to_the_verified_token(dev, api, inbox, address):
    email = address()

    # The app asks.
    answer = api.send_link(email, "https://example.com/finish?next=%2Fhome&x=1#top")
    assert answer.ok() == {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": email}

    # The mail arrives.
    mail = inbox.wait_for(email)
    link = mail["link"]
    assert mail["project"] == "demo-project"
    assert link_in(inbox.message(mail)) == link

    # The link is opened and leads back to the app, spending nothing.
    opened = dev.client.open(link)
    assert opened.status == 303
    target = urlsplit(opened.headers["Location"])
    code = links.code(link)
    assert (target.scheme, target.netloc, target.path, target.fragment) == ("https", "example.com", "/finish", "top")
    assert parse_qs(target.query) == {
        "next": ["/home"], "x": ["1"], "mode": ["signIn"], "oobCode": [code], "apiKey": ["any-key"], "lang": ["en"]}

    # The app signs in.
    signed_in = api.complete(email, code).ok()
    assert signed_in["kind"] == "identitytoolkit#EmailLinkSigninResponse"
    assert (signed_in["email"], signed_in["isNewUser"], signed_in["expiresIn"]) == (email, True, "3600")
    assert set(signed_in) == {"kind", "email", "localId", "isNewUser", "idToken", "refreshToken", "expiresIn"}

    # The backend verifies.
    claims = tokens.verify(signed_in["idToken"], dev.postern.url, "demo-project")
    assert claims["sub"] == claims["user_id"] == signed_in["localId"] and len(claims["sub"]) <= 128
    assert (claims["email"], claims["email_verified"]) == (email, True)
    assert claims["firebase"] == {"identities": {"email": [email]}, "sign_in_provider": "password"}
    assert claims["exp"] == claims["iat"] + 3600 and abs(claims["auth_time"] - time.time()) < 60

    # The app refreshes, looks itself up, and goes.
    refreshed = api.refresh(signed_in["refreshToken"]).ok()
    assert tokens.verify(refreshed["id_token"], dev.postern.url, "demo-project")["auth_time"] == claims["auth_time"]
    [user] = api.call("lookup", idToken=refreshed["id_token"]).ok()["users"]
    assert (user["localId"], user["email"], user["emailVerified"], user["emailLinkSignin"]) == (claims["sub"], email, True, True)
    [provider] = user["providerUserInfo"]
    assert provider == {"providerId": "password", "email": email, "federatedId": email, "rawId": email}
    assert all(isinstance(user[name], str) and user[name].isdigit() for name in ("createdAt", "lastLoginAt", "validSince"))
    assert datetime.fromisoformat(user["lastRefreshAt"].replace("Z", "+00:00")).tzinfo == timezone.utc
    assert api.call("delete", idToken=refreshed["id_token"]).ok() == {"kind": "identitytoolkit#DeleteAccountResponse"}
    assert api.user(email) is None
    assert api.call("lookup", idToken=refreshed["id_token"]).code() == "USER_NOT_FOUND"


@pytest.mark.parametrize("path", [
    "/v1/accounts:sendOobCode",
    f"{IDENTITY}/v1/accounts:sendOobCode",
    f"{LEGACY}/getOobConfirmationCode",
    f"/www.googleapis.com{LEGACY}/getOobConfirmationCode",
])
@pytest.mark.parametrize("credential", ["query", "header", "privileged"])
def test_every_path_sends(api, inbox, address, path, credential):
    email = address()
    headers = {"query": {}, "header": {"X-Goog-Api-Key": "any-key"}, "privileged": api.admin}[credential]
    target = path + (KEY if credential == "query" else "")
    answer = api.client.post(
        target, {"requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "https://example.com/"}, headers)
    assert answer.ok()["email"] == email
    inbox.wait_for(email)


@pytest.mark.parametrize("path", [
    "/v1/projects/demo-project/accounts:sendOobCode",
    f"{IDENTITY}/v1/projects/demo-project/accounts:sendOobCode",
])
def test_project_paths_send(api, inbox, address, path):
    email = address()
    body = {"requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "https://example.com/"}
    assert api.client.post(path, body, api.admin).ok()["email"] == email
    inbox.wait_for(email)
    refusal = api.client.post(path + KEY, body)
    assert refusal.code() == "INSUFFICIENT_PERMISSION"
    assert refusal.json()["error"]["message"].endswith("Only authenticated requests can specify target_project_id.")


@pytest.mark.parametrize("path", [
    "/v1/accounts:signInWithEmailLink",
    f"{IDENTITY}/v1/accounts:signInWithEmailLink",
    f"{LEGACY}/emailLinkSignin",
    f"/www.googleapis.com{LEGACY}/emailLinkSignin",
])
def test_every_path_completes(api, address, path):
    email = address()
    code = links.code(api.make_link(email))
    assert api.client.post(path + KEY, {"email": email, "oobCode": code}).ok()["isNewUser"] is True


SHAPES = {
    "camelCase": {"requestType": "EMAIL_SIGNIN", "continueUrl": "https://example.com/", "canHandleCodeInApp": True,
                  "iOSBundleId": "com.example.app", "androidPackageName": "com.example.droid", "androidInstallApp": True,
                  "androidMinimumVersion": "12"},
    "snake_case": {"request_type": "EMAIL_SIGNIN", "continue_url": "https://example.com/", "can_handle_code_in_app": True,
                   "i_os_bundle_id": "com.example.app", "android_package_name": "com.example.droid", "android_install_app": True,
                   "android_minimum_version": "12"},
    "a number for the type": {"requestType": 6, "continueUrl": "https://example.com/", "canHandleCodeInApp": True,
                              "iOSBundleId": "com.example.app"},
    "nulls": {"requestType": "EMAIL_SIGNIN", "continueUrl": "https://example.com/", "canHandleCodeInApp": True,
              "iOSBundleId": "com.example.app", "iOSAppStoreId": None, "androidPackageName": None, "androidInstallApp": None,
              "linkDomain": None, "dynamicLinkDomain": None, "tenantId": None, "idToken": None, "returnOobLink": None,
              "targetProjectId": None, "captchaResp": None},
    "what iOS sends": {"requestType": "EMAIL_SIGNIN", "continueUrl": "https://example.com/", "iOSBundleId": "com.example.app",
                       "canHandleCodeInApp": True, "clientType": "CLIENT_TYPE_IOS"},
    "what JS sends": {"requestType": "EMAIL_SIGNIN", "continueUrl": "https://example.com/", "canHandleCodeInApp": True,
                      "iosBundleId": "com.example.app", "androidPackageName": "com.example.droid", "androidInstallApp": False,
                      "androidMinimumVersionCode": "12", "clientType": "CLIENT_TYPE_WEB"},
    "unknown members": {"requestType": "EMAIL_SIGNIN", "continueUrl": "https://example.com/", "canHandleCodeInApp": True,
                        "iOSBundleId": "com.example.app", "userIp": "192.0.2.1", "somethingNew": {"a": [1, None]}},
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_of_settings_makes_an_app_link(api, inbox, address, shape):
    email = address()
    api.call("sendOobCode", email=email, **shape).ok()
    link = links.parse(inbox.wait_for(email)["link"])
    assert link.wrapper, "with an app in the request the link is the app form"
    assert link["continueUrl"] == "https://example.com/"


def test_the_order_of_parameters_suits_the_parsers_in_the_field(api, address):
    web = links.parse(api.make_link(address(), "https://example.com/?a=1&b=2#c=3"))
    assert web.names == ["apiKey", "continueUrl", "lang", "sig", "mode", "oobCode"]
    assert web["continueUrl"] == "https://example.com/?a=1&b=2#c=3"
    assert re.fullmatch(r"[A-Za-z0-9_-]{20,}", web.code), "unpadded base64url"
    app = links.parse(api.make_link(address(), "https://example.com/?a=1&b=2#c=3", canHandleCodeInApp=True, iOSBundleId="com.example.app"))
    assert app.names == web.names
    # Encoded once more as a whole: nothing of the inner link is left bare.
    assert re.fullmatch(r"[A-Za-z0-9%._~-]+", app.wrapper.split("?link=")[1])


def test_the_backend_gets_the_link_and_no_mail_is_sent(api, inbox, address):
    email = address()
    answer = api.admin_call(
        "sendOobCode", requestType="EMAIL_SIGNIN", email=email.upper(), continueUrl="https://example.com/", returnOobLink=True).ok()
    assert answer["email"] == email
    assert links.code(answer["oobLink"]) == answer["oobCode"]
    other = address()
    api.send_link(other).ok()
    inbox.wait_for(other)
    assert inbox.mails_to(email) == []


def test_the_mail(dev, api, inbox, address):
    email = address("o'brien+tag")
    api.send_link(email, "https://example.com/a?b=" + "." * 200 + "&c=%C3%A4").ok()
    mail = inbox.wait_for(email)
    content = inbox.content(mail)
    message = inbox.message(mail)

    assert message.defects == [] and [part.defects for part in message.walk()] == [[]] * 3
    assert message["To"].addresses[0].addr_spec == email and len(message["To"].addresses) == 1
    assert len(message["From"].addresses) == 1
    assert abs((message["Date"].datetime - datetime.now(timezone.utc)).total_seconds()) < 120
    assert re.fullmatch(r"<[^<>@\s]+@[^<>@\s]+>", message["Message-ID"])
    assert message["Message-ID"].rstrip(">").split("@")[1] == message["From"].addresses[0].domain
    assert message["MIME-Version"] == "1.0"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["Content-Language"] == "en"
    assert message["Subject"] == mail["subject"] and "demo-project" in message["Subject"]
    assert all(message.get_all(name) is not None and len(message.get_all(name)) == 1 for name in set(message.keys()))
    assert "Precedence" not in message and "List-Unsubscribe" not in message

    assert message.get_content_type() == "multipart/alternative"
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert all(part.get_content_charset() == "utf-8" for part in message.iter_parts())
    assert all(part["Content-Transfer-Encoding"] in ("quoted-printable", "base64") for part in message.iter_parts())
    text, html = text_of(message), html_of(message)
    link = link_in(message)
    assert link == mail["link"] and links.parse(link)["continueUrl"].endswith("." * 200 + "&c=%C3%A4")
    assert email in text
    assert re.search(r'<html lang="en" dir="ltr">', html) and re.search(r"<title>[^<]+</title>", html)
    assert "<script" not in html and "<img" not in html and "<form" not in html
    assert len(html) < 20_000
    [not_me] = set(links_in_html(html)) - {link}
    assert not_me.startswith(link.split("/__/")[0] + "/__/auth/not-me?t=")
    # The code is in the bodies and nowhere else.
    assert links.code(link) not in content.split(b"\r\n\r\n", 1)[0].decode()

    assert re.fullmatch(rb"[\x20-\x7e\r\n\t]*", content), "7-bit only, so that no relay recodes it"
    assert b"\n" not in content.replace(b"\r\n", b"") and b"\r" not in content.replace(b"\r\n", b"")
    assert content.endswith(b"\r\n")
    assert all(len(line) <= 78 for line in content.split(b"\r\n")), "a line is longer than 78"
    assert all(line == line.rstrip() for line in content.split(b"\r\n")), "a line ends in blanks"

    # The inbox shows the same.
    assert mail["text"].split() == text.split() and mail["html"].split() == html.split()
    assert set(mail) == {"id", "project", "from", "to", "subject", "receivedAt", "headers", "text", "html", "link"}


def test_the_language(api, inbox, address):
    for headers, language, written in [
        ({"X-Firebase-Locale": "de"}, "de", "de"), ({"Accept-Language": "en-GB,en;q=0.9"}, "en", "en"), ({}, "en", "en"),
        ({"Accept-Language": "pt-BR,en;q=0.5"}, "pt-BR", "pt-BR"),
        # What an app asks for stands in its link, for its own pages, also when no template is written in it.
        ({"X-Firebase-Locale": "zh-TW"}, "zh-TW", "en"),
        # Neither may reach the link or the mail as it is.
        ({"X-Firebase-Locale": "en&mode=x"}, "en", "en"), ({"X-Firebase-Locale": "../../etc"}, "en", "en"),
        ({"X-Firebase-Locale": ""}, "en", "en"),
    ]:
        email = address()
        body = {"requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "https://example.com/"}
        api.client.post("/v1/accounts:sendOobCode?key=any-key", body, headers).ok()
        mail = inbox.wait_for(email)
        assert links.parse(mail["link"])["lang"] == language, headers
        assert inbox.message(mail)["Content-Language"] == written


@pytest.mark.parametrize("body", [
    "form", {"grantType": "refresh_token", "refreshToken": None}, {"grant_type": "refresh_token", "refresh_token": None},
], ids=["JS: a form", "iOS: camelCase", "others: snake_case"])
@pytest.mark.parametrize("path", ["/v1/token", "/securetoken.googleapis.com/v1/token"])
def test_refresh(dev, api, address, body, path):
    email = address()
    signed_in = api.complete(email, links.code(api.make_link(email))).ok()
    token = signed_in["refreshToken"]
    if body == "form":
        answer = api.client.request(
            "POST", path + KEY, f"grant_type=refresh_token&refresh_token={token}",
            {"Content-Type": "application/x-www-form-urlencoded"})
    else:
        answer = api.client.post(path + KEY, {name: value or token for name, value in body.items()})
    answer = answer.ok()
    assert set(answer) == {"access_token", "expires_in", "token_type", "refresh_token", "id_token", "user_id", "project_id"}
    assert (answer["expires_in"], answer["token_type"], answer["user_id"]) == ("3600", "Bearer", signed_in["localId"])
    assert answer["access_token"] == answer["id_token"] and answer["project_id"].isdigit()
    claims = tokens.verify(answer["id_token"], dev.postern.url, "demo-project")
    assert claims["sub"] == signed_in["localId"] and claims["firebase"]["sign_in_provider"] == "password"
    # And the token that came back works in its turn.
    assert api.refresh(answer["refresh_token"]).ok()["user_id"] == signed_in["localId"]


def test_the_published_keys(dev, api, address):
    jwks = dev.client.get("/.well-known/jwks.json")
    [key] = jwks.ok()["keys"]
    assert {"kty": "RSA", "alg": "RS256", "use": "sig"}.items() <= key.items()
    assert not set(key) & {"d", "p", "q", "dp", "dq", "qi"}, "a private part is published"
    assert "max-age" in jwks.headers["Cache-Control"]
    discovery = dev.client.get("/.well-known/openid-configuration").ok()
    assert discovery["issuer"] == "https://securetoken.google.com/demo-project"
    assert discovery["jwks_uri"] == f"{dev.postern.url}/.well-known/jwks.json"
    assert discovery["id_token_signing_alg_values_supported"] == ["RS256"]
    certificates = dev.client.get("/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com").ok()
    assert set(certificates) == {key["kid"]}
    assert certificates[key["kid"]].startswith("-----BEGIN CERTIFICATE-----")
    # The certificate holds the same key as the set: it verifies a token too.
    token = api.complete(email := address(), links.code(api.make_link(email))).ok()["idToken"]
    assert jwt.get_unverified_header(token)["kid"] == key["kid"]
    public_key = x509.load_pem_x509_certificate(certificates[key["kid"]].encode()).public_key()
    jwt.decode(token, public_key, algorithms=["RS256"], audience="demo-project")
