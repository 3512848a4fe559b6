"""Accounts with passwords, by real clients: Google's server SDK, a client SDK, and two libraries that know Google's hosts only."""

import json
import time
import warnings
from urllib.parse import urlsplit, urlunsplit

import empyrebase
import firebase_client
import pytest
import requests
from firebase_admin import auth, exceptions
from test_firebase_admin import app  # noqa: F401
from test_firebase_client import client  # noqa: F401

from support import tokens

with warnings.catch_warnings():
    # What it is built on calls itself deprecated.
    warnings.simplefilter("ignore")
    import pyrebase

PASSWORD = "correct horse battery"


# Google's server SDK


def test_an_administrator_changes_everything(dev, api, app, address):  # noqa: F811
    email, other = address(), address()
    uid = auth.create_user(email=email, password=PASSWORD, app=app).uid
    signed_in = api.call("signInWithPassword", email=email, password=PASSWORD).ok()

    # Tokens of the second of a change stay good, as with Firebase.
    time.sleep(1.1)
    user = auth.update_user(
        uid, email=other, email_verified=True, display_name="Ada", photo_url="https://example.com/ada.png",
        phone_number=f"+1555{time.time_ns() % 10**7:07}", app=app)
    assert (user.email, user.email_verified, user.display_name) == (other, True, "Ada")
    assert sorted(provider.provider_id for provider in user.provider_data) == ["password", "phone"]
    # The address is another one, so whoever sat in the account is out.
    assert api.call("lookup", idToken=signed_in["idToken"]).code() == "TOKEN_EXPIRED"
    assert api.refresh(signed_in["refreshToken"]).code() == "INVALID_REFRESH_TOKEN"
    assert api.call("signInWithPassword", email=email, password=PASSWORD).code() == "INVALID_LOGIN_CREDENTIALS"

    user = auth.update_user(
        uid, display_name=auth.DELETE_ATTRIBUTE, photo_url=auth.DELETE_ATTRIBUTE, phone_number=auth.DELETE_ATTRIBUTE, app=app)
    assert (user.display_name, user.photo_url, user.phone_number) == (None, None, None)

    auth.update_user(uid, password="another " + PASSWORD, app=app)
    assert api.call("signInWithPassword", email=other, password=PASSWORD).code() == "INVALID_LOGIN_CREDENTIALS"
    signed_in = api.call("signInWithPassword", email=other, password="another " + PASSWORD).ok()

    assert auth.update_user(uid, disabled=True, app=app).disabled
    assert api.call("signInWithPassword", email=other, password="another " + PASSWORD).code() == "USER_DISABLED"
    assert api.refresh(signed_in["refreshToken"]).code() == "INVALID_REFRESH_TOKEN"
    auth.update_user(uid, disabled=False, app=app)
    api.call("signInWithPassword", email=other, password="another " + PASSWORD).ok()


def test_claims(dev, api, app, address):  # noqa: F811
    email = address()
    uid = auth.create_user(email=email, password=PASSWORD, app=app).uid
    auth.set_custom_user_claims(uid, {"role": "admin", "level": 12345678901234567}, app=app)
    assert auth.get_user(uid, app=app).custom_claims == {"role": "admin", "level": 12345678901234567}
    signed_in = api.call("signInWithPassword", email=email, password=PASSWORD).ok()
    claims = auth.verify_id_token(signed_in["idToken"], check_revoked=True, app=app)
    assert (claims["role"], claims["level"]) == ("admin", 12345678901234567)
    assert tokens.verify(signed_in["idToken"], dev.postern.url, "demo-project")["role"] == "admin"
    with pytest.raises(ValueError):
        auth.set_custom_user_claims(uid, {"iss": "me"}, app=app)
    auth.set_custom_user_claims(uid, None, app=app)
    assert not auth.get_user(uid, app=app).custom_claims


def test_revoking(api, app, address):  # noqa: F811
    email = address()
    uid = auth.create_user(email=email, password=PASSWORD, app=app).uid
    signed_in = api.call("signInWithPassword", email=email, password=PASSWORD).ok()
    time.sleep(1.1)
    auth.revoke_refresh_tokens(uid, app=app)
    with pytest.raises(auth.RevokedIdTokenError):
        auth.verify_id_token(signed_in["idToken"], check_revoked=True, app=app)
    assert api.refresh(signed_in["refreshToken"]).code() in ("TOKEN_EXPIRED", "INVALID_REFRESH_TOKEN")
    assert api.call("lookup", idToken=signed_in["idToken"]).code() == "TOKEN_EXPIRED"
    fresh = api.call("signInWithPassword", email=email, password=PASSWORD).ok()
    assert auth.verify_id_token(fresh["idToken"], check_revoked=True, app=app)["uid"] == uid


def test_lists(dev, app, address, monkeypatch):  # noqa: F811
    from test_firebase_admin import make_app

    for own in make_app(dev.postern, f"lists-{time.time_ns()}", monkeypatch):
        uids = sorted(auth.create_user(uid=f"user-{number:03}", app=own).uid for number in range(25))
        page = auth.list_users(max_results=10, app=own)
        assert [user.uid for user in page.users] == uids[:10] and page.has_next_page
        assert [user.uid for user in auth.list_users(app=own).iterate_all()] == uids

        found = auth.get_users([auth.UidIdentifier(uids[0]), auth.UidIdentifier("nobody")], app=own)
        assert [user.uid for user in found.users] == uids[:1] and len(found.not_found) == 1

        result = auth.delete_users(uids[:20] + ["nobody"], app=own)
        assert (result.success_count, result.failure_count, result.errors) == (21, 0, [])
        assert [user.uid for user in auth.list_users(app=own).iterate_all()] == uids[20:]


def test_an_administrator_is_refused(app, address):  # noqa: F811
    email, taken = address(), address()
    uid = auth.create_user(email=email, app=app).uid
    auth.create_user(email=taken, app=app)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.update_user(uid, email=taken, app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.update_user("nobody", display_name="Nobody", app=app)
    with pytest.raises(exceptions.InvalidArgumentError, match="INVALID_PROFILE_ATTRIBUTE"):
        auth.update_user(uid, display_name="x" * 2000, app=app)


# A client SDK


def test_a_client_signs_in_with_a_password(dev, client, address):  # noqa: F811
    email = address()
    client.create_user_with_email_and_password(email, PASSWORD)
    client.sign_out()
    assert client.current_user is None
    user = client.sign_in_with_email_and_password(email, PASSWORD).user
    assert tokens.verify(user.get_id_token(), dev.postern.url, "demo-project")["firebase"]["sign_in_provider"] == "password"
    with pytest.raises(firebase_client.AuthException) as refusal:
        client.sign_in_with_email_and_password(email, "wrong " + PASSWORD)
    assert refusal.value.code == "INVALID_LOGIN_CREDENTIALS"
    with pytest.raises(firebase_client.AuthException) as refusal:
        client.sign_in_with_email_and_password(address("nobody"), PASSWORD)
    assert refusal.value.code == "INVALID_LOGIN_CREDENTIALS"


# Libraries that know Google's hosts only

GOOGLE = ("identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com")


@pytest.fixture
def redirected(dev, monkeypatch):
    """Leads what is meant for Google to the server, as a hosts file would: the path stays as it is."""
    send = requests.Session.request

    def request(session, method, url, **settings):
        parts = urlsplit(url)
        assert parts.netloc in GOOGLE, f"an unexpected host: {parts.netloc}"
        return send(session, method, urlunsplit(("http", urlsplit(dev.postern.url).netloc, *parts[2:])), **settings)

    monkeypatch.setattr(requests.Session, "request", request)
    return dev


SETTINGS = {
    "apiKey": "any-key", "authDomain": "demo-project.example", "databaseURL": "https://unused.example", "projectId": "demo-project",
    "storageBucket": "unused",
}


LIBRARIES = {
    "Pyrebase4": lambda: pyrebase.initialize_app(SETTINGS),
    # Its check would ask the package index.
    "empyrebase": lambda: empyrebase.initialize_app(SETTINGS, skip_version_check=True),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_with_fixed_hosts(redirected, api, address, library):
    email = address()
    users = LIBRARIES[library]().auth()
    created = users.create_user_with_email_and_password(email, PASSWORD)
    assert created["email"] == email and created["localId"]

    signed_in = users.sign_in_with_email_and_password(email, PASSWORD)
    assert signed_in["registered"] is True and signed_in["localId"] == created["localId"]
    claims = tokens.verify(signed_in["idToken"], redirected.postern.url, "demo-project")
    assert claims["email"] == email and claims["firebase"]["sign_in_provider"] == "password"

    refreshed = users.refresh(signed_in["refreshToken"])
    assert refreshed["userId"] == created["localId"]
    info = users.get_account_info(refreshed["idToken"])
    assert info["users"][0]["email"] == email

    # It sends null for what is not to be taken away.
    changed = users.update_profile(refreshed["idToken"], display_name="Ada")
    assert changed["displayName"] == "Ada" and api.user(email)["displayName"] == "Ada"

    with pytest.raises(requests.exceptions.HTTPError, match="INVALID_LOGIN_CREDENTIALS"):
        users.sign_in_with_email_and_password(email, "wrong " + PASSWORD)
    anonymous = users.sign_in_anonymous()
    users.delete_user_account(anonymous["idToken"])
    users.delete_user_account(signed_in["idToken"])
    assert api.user(email) is None


# The configuration of projects


def test_the_configuration_of_a_project_is_told_and_not_changed(serve):
    target = "/v2/projects/example/config"
    answer = serve.client.get(target, headers=serve.api.admin).ok()
    assert answer["name"] == "projects/example/config"
    assert answer["emailPrivacyConfig"] == {"enableImprovedEmailPrivacy": True}
    assert answer["authorizedDomains"] == ["app.example.co.uk", "example.com", "localhost"]
    headers = {"Content-Type": "application/json"} | serve.api.admin
    body = json.dumps({"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}})
    assert serve.client.request("PATCH", target, body, headers).code() == "OPERATION_NOT_ALLOWED"
    assert serve.client.get(target, headers=serve.api.admin).ok() == answer
    refusal = serve.client.get(target + "?key=example-key")
    assert refusal.code() == "INSUFFICIENT_PERMISSION"


def test_privacy_switched_off_tells(start_dev, address):
    api = start_dev().api
    email = address()
    api.call("signUp", email=email, password=PASSWORD).ok()
    wrong = dict(email=email, password="wrong " + PASSWORD)
    assert api.call("signInWithPassword", **wrong).code() == "INVALID_LOGIN_CREDENTIALS"
    methods = dict(identifier=email, continueUri="http://localhost")
    assert "signinMethods" not in api.call("createAuthUri", **methods).ok()
    body = json.dumps({"emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}})
    api.client.request(
        "PATCH", "/v2/projects/demo-project/config?updateMask=emailPrivacyConfig", body,
        {"Content-Type": "application/json"} | api.admin).ok()
    assert api.call("signInWithPassword", **wrong).code() == "INVALID_PASSWORD"
    assert api.call("createAuthUri", **methods).ok()["signinMethods"] == ["password"]
