"""Google's own server SDK, in the emulator mode that points it at us."""

import uuid

import firebase_admin
import firebase_admin.credentials
import pytest
from firebase_admin import auth, exceptions

from support import configuration, links, tokens


class _NoCredential(firebase_admin.credentials.Base):
    def get_credential(self):
        raise AssertionError("nothing may ask for a credential")


@pytest.fixture
def app(dev, monkeypatch):
    yield from make_app(dev.postern, "demo-project", monkeypatch)


def make_app(postern, project, monkeypatch):
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", f"{postern.host}:{postern.port}")
    app = firebase_admin.initialize_app(_NoCredential(), {"projectId": project}, name=uuid.uuid4().hex)
    yield app
    firebase_admin.delete_app(app)


def full_settings(**changes) -> auth.ActionCodeSettings:
    return auth.ActionCodeSettings(**{
        "url": "https://example.com/finish?cart=12#pay", "handle_code_in_app": True, "link_domain": "links.example.com",
        "ios_bundle_id": "com.example.app", "android_package_name": "com.example.droid", "android_install_app": True,
        "android_minimum_version": "12"} | changes)


def test_the_life_of_an_account(dev, api, app, address):
    email = address()
    created = auth.create_user(email=email, display_name="Ada Lovelace", app=app)
    assert (created.email, created.display_name, created.email_verified, created.disabled) == (email, "Ada Lovelace", False, False)
    assert auth.get_user(created.uid, app=app).email == email
    assert auth.get_user_by_email(email, app=app).uid == created.uid

    link = auth.generate_sign_in_with_email_link(email, full_settings(), app=app)
    parsed = links.parse(link)
    assert parsed.wrapper.startswith("https://links.example.com/__/auth/links?link=")
    assert parsed["mode"] == "signIn" and parsed["continueUrl"] == "https://example.com/finish?cart=12#pay"

    signed_in = api.complete(email, parsed.code).ok()
    assert (signed_in["localId"], signed_in["isNewUser"]) == (created.uid, False)
    by_sdk = auth.verify_id_token(signed_in["idToken"], check_revoked=True, app=app)
    by_hand = tokens.verify(signed_in["idToken"], dev.postern.url, "demo-project")
    assert by_sdk["uid"] == by_hand["sub"] == created.uid
    assert by_hand["email_verified"] is True and by_hand["name"] == "Ada Lovelace"

    user = auth.get_user(created.uid, app=app)
    assert user.email_verified and user.user_metadata.last_sign_in_timestamp >= user.user_metadata.creation_timestamp
    assert [provider.provider_id for provider in user.provider_data] == ["password"]
    assert auth.get_users([auth.UidIdentifier(created.uid), auth.EmailIdentifier("nobody@mail.example")], app=app).not_found

    auth.delete_user(created.uid, app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user(created.uid, app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.verify_id_token(signed_in["idToken"], check_revoked=True, app=app)


def test_a_link_for_nobody_yet_makes_the_account(api, app, address):
    email = address()
    link = auth.generate_sign_in_with_email_link(email, full_settings(handle_code_in_app=False), app=app)
    assert links.parse(link).wrapper is None
    signed_in = api.complete(email, links.code(link)).ok()
    assert signed_in["isNewUser"] is True
    assert auth.get_user_by_email(email, app=app).uid == signed_in["localId"]


def test_refusals(app, address):
    email = address()
    auth.create_user(uid=f"uid-{email[:20]}", email=email, app=app)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.create_user(email=email, app=app)
    with pytest.raises(auth.UidAlreadyExistsError):
        auth.create_user(uid=f"uid-{email[:20]}", app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user_by_email(address("nobody"), app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.delete_user("nobody", app=app)
    with pytest.raises(exceptions.InvalidArgumentError, match="INVALID_CONTINUE_URI"):
        auth.generate_sign_in_with_email_link(email, full_settings(url="https://user@example.com/"), app=app)


def test_a_disabled_account(api, app, address):
    email = address()
    user = auth.create_user(email=email, disabled=True, app=app)
    assert user.disabled
    assert api.complete(email, links.code(api.make_link(email))).code() == "USER_DISABLED"


def test_a_configured_project_is_held_to_its_lists(start_dev, tmp_path, monkeypatch, address):
    config = configuration.write(
        tmp_path / "dev.json5",
        {"projects": [configuration.project("held", linkDomains=["links.example.com"])]})
    dev = start_dev("--config", config)
    email = address()
    for app in make_app(dev.postern, "held", monkeypatch):
        assert links.parse(auth.generate_sign_in_with_email_link(email, full_settings(), app=app))["apiKey"] == "held-key"
        with pytest.raises(exceptions.InvalidArgumentError, match="UNAUTHORIZED_DOMAIN"):
            auth.generate_sign_in_with_email_link(email, full_settings(url="https://elsewhere.example/"), app=app)
        with pytest.raises(exceptions.InvalidArgumentError, match="[Ll]ink.?[Dd]omain") as refusal:
            auth.generate_sign_in_with_email_link(email, full_settings(link_domain="elsewhere.example"), app=app)
        assert type(refusal.value).__name__ == "InvalidHostingLinkDomainError"
    # A project that nobody configured still goes anywhere, and says what serve would need.
    for app in make_app(dev.postern, "free", monkeypatch):
        auth.generate_sign_in_with_email_link(email, full_settings(url="https://elsewhere.example/"), app=app)
    assert "elsewhere.example" in dev.postern.output and "authorizedDomains" in dev.postern.output
