"""Every action code but the sign-in link, from the request over the mail to its end: by the API, by the pages and by Google's server SDK."""

import re
import threading
import uuid
from html import unescape
from urllib.parse import urlencode, urlsplit

import firebase_admin
import firebase_admin.credentials
import pytest
from firebase_admin import auth

from support import links
from support.client import IDENTITY, LEGACY
from support.waiting import next_second

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", "Origin": "null"}


@pytest.fixture
def sign_up(api, address):
    """Makes an account with a password; gives its address and its answer."""

    def make(password="first password"):
        email = address()
        return email, api.call("signUp", email=email, password=password, returnSecureToken=True).ok()

    return make



def mailed(inbox, email, count=1):
    return links.parse(inbox.wait_for(email, count)["link"])


def fields(page) -> dict:
    """The hidden fields of the one form of a page."""
    assert page.status == 200, page.text
    assert page.text.count("<form") == 1 and "<script" not in page.text
    return {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.text)}


def press(client, link, headers=FORM, **more):
    """Opens a link and presses the button of its page."""
    return submit(client, link, fields(client.open(link)) | more, headers)


def submit(client, link, form, headers=FORM):
    return client.request("POST", "/__/auth/action", urlencode(form), {"Host": urlsplit(link).netloc} | headers)


# By the API


def test_a_password_is_reset(api, inbox, sign_up):
    email, account = sign_up()
    assert api.call("sendOobCode", requestType="PASSWORD_RESET", email=email.upper()).ok() == {
        "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": email}
    link = mailed(inbox, email)
    assert link["mode"] == "resetPassword"
    expected = {"kind": "identitytoolkit#ResetPasswordResponse", "requestType": "PASSWORD_RESET", "email": email}
    assert api.call("resetPassword", oobCode=link.code).ok() == expected
    assert api.call("resetPassword", oobCode=link.code, newPassword="short").code() == "WEAK_PASSWORD"
    next_second()
    assert api.call("resetPassword", oobCode=link.code, newPassword="second password").ok() == expected
    assert api.call("resetPassword", oobCode=link.code, newPassword="third password").code() == "INVALID_OOB_CODE"
    assert api.user(email)["emailVerified"] is True
    assert api.call("lookup", idToken=account["idToken"]).code() == "TOKEN_EXPIRED"
    assert api.refresh(account["refreshToken"]).code() == "INVALID_REFRESH_TOKEN"


def test_an_address_is_verified(api, inbox, sign_up):
    email, account = sign_up()
    assert api.call("sendOobCode", requestType="VERIFY_EMAIL", idToken=account["idToken"]).ok()["email"] == email
    link = mailed(inbox, email)
    assert link["mode"] == "verifyEmail"
    assert api.user(email)["emailVerified"] is False
    answer = api.call("update", oobCode=link.code).ok()
    assert answer["kind"] == "identitytoolkit#SetAccountInfoResponse"
    assert (answer["localId"], answer["email"], answer["emailVerified"]) == (account["localId"], email, True)
    assert answer["providerUserInfo"][0]["providerId"] == "password" and "idToken" not in answer and "newEmail" not in answer
    # Neither the password nor the sign-in went.
    assert api.user(email)["passwordHash"] and api.refresh(account["refreshToken"]).ok()
    assert api.call("update", oobCode=link.code).code() == "INVALID_OOB_CODE"


def test_an_address_is_changed_and_recovered(api, inbox, sign_up, address):
    email, account = sign_up()
    new = address("new")
    answer = api.call("sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", idToken=account["idToken"], newEmail=new).ok()
    assert answer["email"] == email
    link = mailed(inbox, new)
    assert inbox.mails_to(email) == []
    inspected = api.call("resetPassword", oobCode=link.code).ok()
    assert (inspected["requestType"], inspected["email"], inspected["newEmail"]) == ("VERIFY_AND_CHANGE_EMAIL", email, new)
    next_second()
    changed = api.call("update", oobCode=link.code).ok()
    assert (changed["email"], changed["newEmail"], changed["emailVerified"]) == (new, new, True)
    assert api.user(email) is None and api.user(new)["initialEmail"] == email
    assert api.call("lookup", idToken=account["idToken"]).code() == "TOKEN_EXPIRED"
    assert api.refresh(account["refreshToken"]).code() == "INVALID_REFRESH_TOKEN"

    mail = inbox.wait_for(email)
    assert "was changed" in mail["subject"] and new in mail["text"]
    back = links.parse(mail["link"])
    assert back["mode"] == "recoverEmail"
    inspected = api.call("resetPassword", oobCode=back.code).ok()
    assert (inspected["requestType"], inspected["email"], inspected["newEmail"]) == ("RECOVER_EMAIL", email, new)
    recovered = api.call("update", oobCode=back.code).ok()
    assert (recovered["email"], recovered["localId"]) == (email, account["localId"]) and "newEmail" not in recovered
    assert api.user(new) is None


@pytest.mark.parametrize("path", ["/v1/accounts:{}", IDENTITY + "/v1/accounts:{}"])
def test_as_the_js_sdk_calls(api, inbox, sign_up, path):
    email, account = sign_up()
    call = lambda method, **body: api.client.post(path.format(method) + "?key=any-key", body)
    call("sendOobCode", requestType="VERIFY_EMAIL", idToken=account["idToken"], clientType="CLIENT_TYPE_WEB").ok()
    assert call("update", oobCode=mailed(inbox, email).code).ok()["emailVerified"] is True


def test_as_the_ios_sdk_calls(api, inbox, sign_up):
    email, account = sign_up()
    call = lambda method, **body: api.client.post(f"/www.googleapis.com{LEGACY}/{method}?key=any-key", body)
    call("getOobConfirmationCode", requestType="VERIFY_EMAIL", idToken=account["idToken"], clientType="CLIENT_TYPE_IOS").ok()
    # applyActionCode sends returnSecureToken and no token.
    assert call("setAccountInfo", oobCode=mailed(inbox, email).code, returnSecureToken=True).ok()["localId"] == account["localId"]
    call("getOobConfirmationCode", requestType="PASSWORD_RESET", email=email, clientType="CLIENT_TYPE_IOS").ok()
    link = mailed(inbox, email, 2)
    assert call("resetPassword", oobCode=link.code).ok()["requestType"] == "PASSWORD_RESET"
    call("resetPassword", oobCode=link.code, newPassword="second password").ok()


def test_known_and_unknown_look_alike(api, inbox, sign_up, address):
    email, account = sign_up()
    taken, _ = sign_up()
    unknown, free = address("unknown"), address("free")
    answers = [api.call("sendOobCode", requestType="PASSWORD_RESET", email=each) for each in (email, unknown)]
    assert [answer.ok()["email"] for answer in answers] == [email, unknown]
    assert {name for name, _ in answers[0].headers.items()} == {name for name, _ in answers[1].headers.items()}
    for new in free, taken:
        api.call("sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", idToken=account["idToken"], newEmail=new).ok()
    inbox.wait_for(email), inbox.wait_for(free)
    assert inbox.mails_to(unknown) == [] and inbox.mails_to(taken) == []
    codes = api.client.get("/emulator/v1/projects/demo-project/oobCodes").ok()["oobCodes"]
    assert [code for code in codes if code["email"] == unknown or code.get("newEmail") == taken] == []


def test_with_privacy_off_addresses_are_told(dev, address):
    api = dev.of(f"open-{uuid.uuid4().hex[:8]}")
    email, taken = address(), address()
    account = api.admin_call("signUp", email=taken).ok() and api.call("signUp", email=email, password="a password").ok()
    config = f"/emulator/v1/projects/{api.project}/config"
    body = '{"emailPrivacyConfig":{"enableImprovedEmailPrivacy":false}}'
    assert api.client.request("PATCH", config, body, {"Content-Type": "application/json"}).status == 200
    assert api.call("sendOobCode", requestType="PASSWORD_RESET", email=address()).code() == "EMAIL_NOT_FOUND"
    change = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": account["idToken"]}
    assert api.call("sendOobCode", **change, newEmail=taken).code() == "EMAIL_EXISTS"
    assert api.call("sendOobCode", **change, newEmail=address()).ok()["email"] == email


def test_one_of_many_resets_wins(api, inbox, sign_up):
    email, _ = sign_up()
    code = api.admin_call("sendOobCode", requestType="PASSWORD_RESET", email=email, returnOobLink=True).ok()["oobCode"]
    statuses = []
    reset = lambda number: statuses.append(api.call("resetPassword", oobCode=code, newPassword=f"password {number}").status)
    threads = [threading.Thread(target=reset, args=(number,)) for number in range(12)]
    [thread.start() for thread in threads], [thread.join() for thread in threads]
    assert sorted(statuses) == [200] + [400] * 11


# By the pages


@pytest.fixture
def page_link(api, sign_up, address):
    """Makes a link of a mode whose account is ready for it; gives it and the account's address."""

    def make(mode, **settings):
        email, account = sign_up()
        link = lambda **body: api.admin_call("sendOobCode", returnOobLink=True, email=email, **body, **settings).ok()["oobLink"]
        if mode == "resetPassword":
            return link(requestType="PASSWORD_RESET"), email
        if mode == "verifyEmail":
            return link(requestType="VERIFY_EMAIL"), email
        new = address("new")
        change = link(requestType="VERIFY_AND_CHANGE_EMAIL", newEmail=new)
        if mode == "verifyAndChangeEmail":
            return change, email
        api.call("update", oobCode=links.code(change)).ok()
        codes = api.client.get("/emulator/v1/projects/demo-project/oobCodes").ok()["oobCodes"]
        [back] = [code["oobLink"] for code in codes if code["email"] == email and code["requestType"] == "RECOVER_EMAIL"]
        return back, email

    return make


MODES = ["resetPassword", "verifyEmail", "verifyAndChangeEmail", "recoverEmail"]


@pytest.mark.parametrize("mode", MODES)
def test_looking_changes_nothing_and_the_button_completes(dev, api, page_link, mode):
    link, email = page_link(mode)
    listed = lambda: api.admin_call("lookup", email=[email]).body
    before = listed()
    for method in "GET", "HEAD", "GET":
        answer = dev.client.open(link, method)
        assert answer.status == 200 and answer.headers["Location"] is None and answer.headers["Cache-Control"] == "no-store"
    assert listed() == before
    assert email not in dev.client.open(link).text, "who holds a link is not told whose it is"
    password = {"newPassword": "another password"} if mode == "resetPassword" else {}
    assert press(dev.client, link, **password).status == 200
    assert listed() != before
    again = dev.client.open(link)
    assert again.status == 410 and "<form" not in again.text


@pytest.mark.parametrize("mode", ["resetPassword", "verifyEmail", "verifyAndChangeEmail"])
def test_the_button_leads_to_the_stored_continue_url(dev, page_link, mode):
    link, _ = page_link(mode, continueUrl="https://example.com/done?a=1#b")
    page = dev.client.open(link)
    assert "form-action 'self' https://example.com;" in page.headers["Content-Security-Policy"]
    answer = press(dev.client, link, newPassword="another password", continueUrl="https://evil.test/")
    assert answer.status == 303 and answer.headers["Location"] == "https://example.com/done?a=1#b"
    assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_a_weak_password_keeps_the_link(dev, page_link):
    link, _ = page_link("resetPassword")
    weak = press(dev.client, link, newPassword="12345")
    assert weak.status == 400 and 'role="alert"' in weak.text and "<form" in weak.text
    assert press(dev.client, link, newPassword="123456").status == 200


def test_forms_from_elsewhere_are_refused(dev, api, page_link):
    link, _ = page_link("verifyEmail")
    other, _ = page_link("verifyEmail")
    form = fields(dev.client.open(link))
    for headers in {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Content-Type": "text/plain"}:
        assert submit(dev.client, link, form, FORM | headers).status == 403
    for wrong in {"token": ""}, {"token": fields(dev.client.open(other))["token"]}:
        assert submit(dev.client, link, form | wrong).status == 403
    assert submit(dev.client, link, {"token": form["token"]}).status == 400
    assert submit(dev.client, link, form | {"query": form["query"].replace("lang=en", "lang=de")}).status == 400
    assert api.call("resetPassword", oobCode=links.code(link)).ok()["requestType"] == "VERIFY_EMAIL", "nothing was spent"
    # Without the field, as browsers before 2023 send it.
    assert submit(dev.client, link, form, {"Content-Type": FORM["Content-Type"]}).status == 200


def test_an_app_link_has_the_same_page(dev, page_link):
    link, _ = page_link("verifyEmail", continueUrl="https://example.com/", canHandleCodeInApp=True, iOSBundleId="com.example.app")
    assert urlsplit(link).path == "/__/auth/links"
    page = dev.client.open(link)
    assert "<form" in page.text and link.replace("&", "&amp;") not in page.text, "no app is configured, so no page leads to one"
    assert press(dev.client, link).status == 303


# By Google's server SDK


class _NoCredential(firebase_admin.credentials.Base):
    def get_credential(self):
        raise AssertionError("nothing may ask for a credential")


@pytest.fixture
def app(dev, monkeypatch):
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", f"{dev.postern.host}:{dev.postern.port}")
    app = firebase_admin.initialize_app(_NoCredential(), {"projectId": "demo-project"}, name=uuid.uuid4().hex)
    yield app
    firebase_admin.delete_app(app)


def test_links_of_the_server_sdk(api, app, sign_up, address):
    email, account = sign_up()
    verify = links.parse(auth.generate_email_verification_link(email, app=app))
    assert verify["mode"] == "verifyEmail"
    api.call("update", oobCode=verify.code).ok()
    assert auth.get_user(account["localId"], app=app).email_verified
    settings = auth.ActionCodeSettings(url="https://example.com/done?a=1&b=2#c=3")
    reset = links.parse(auth.generate_password_reset_link(email, settings, app=app))
    assert reset["mode"] == "resetPassword" and reset["continueUrl"] == "https://example.com/done?a=1&b=2#c=3"
    api.call("resetPassword", oobCode=reset.code, newPassword="another password").ok()
    with pytest.raises(auth.EmailNotFoundError):
        auth.generate_password_reset_link(address("nobody"), app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.generate_email_verification_link(address("nobody"), app=app)
