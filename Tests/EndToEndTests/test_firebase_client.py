"""A client SDK, in the emulator mode that points it at us."""

import uuid

import firebase_client
import pytest
from firebase_client.auth.wrappers import sign_in_anonymously, sign_in_with_email_link, send_sign_in_link_to_email

from support import links, tokens

SETTINGS = {
    "url": "https://example.com/finish?cart=12", "handleCodeInApp": True, "iOS": {"bundleId": "com.example.app"},
    "android": {"packageName": "com.example.droid", "installApp": True, "minimumVersion": "12"},
}


@pytest.fixture
def client(dev):
    app = firebase_client.initialize_app(
        {"apiKey": "any-key", "projectId": "demo-project", "storageBucket": "unused"}, name=uuid.uuid4().hex, retries=0)
    app.auth.connect_emulator(dev.postern.host, dev.postern.port)
    yield app.auth
    app.http_session.close()
    firebase_client.delete_app(app)


def test_sign_in(dev, client, inbox, address):
    email = address()
    client.language_code = "en"
    send_sign_in_link_to_email(client, email, SETTINGS)
    link = inbox.wait_for(email)["link"]
    assert client.is_sign_in_with_email_link(link)

    user = sign_in_with_email_link(client, email, link).user
    assert user.email == email
    first = tokens.verify(user.get_id_token(), dev.postern.url, "demo-project")
    assert user.reload().emailVerified is True
    assert [provider.provider_id for provider in user.reload().provider_data] == ["password"]

    user = client.current_user
    assert tokens.verify(user.get_id_token(force_refresh=True), dev.postern.url, "demo-project")["sub"] == first["sub"]

    with pytest.raises(firebase_client.AuthException) as refusal:
        sign_in_with_email_link(client, email, link)
    assert refusal.value.code == "INVALID_OOB_CODE" and refusal.value.http_status == 400


def test_an_anonymous_user_links_an_address_and_goes(dev, client, api, inbox, address):
    email = address()
    anonymous = sign_in_anonymously(client).user
    assert anonymous.email is None
    send_sign_in_link_to_email(client, email, SETTINGS)
    code = links.code(inbox.wait_for(email)["link"])
    # This SDK has no call of its own for linking by e-mail link.
    linked = api.complete(email, code, idToken=anonymous.get_id_token()).ok()
    claims = tokens.verify(linked["idToken"], dev.postern.url, "demo-project")
    assert linked["localId"] == tokens.verify(anonymous.get_id_token(), dev.postern.url, "demo-project")["sub"] == claims["sub"]
    assert client.reload_current_user().email == email

    client.delete_user()
    assert client.current_user is None and api.user(email) is None


def test_create_with_password(client, api, address):
    email = address()
    user = client.create_user_with_email_and_password(email, "correct horse battery").user
    assert user.email == email and api.user(email)["passwordHash"]
    with pytest.raises(firebase_client.AuthException) as refusal:
        client.create_user_with_email_and_password(email, "correct horse battery")
    assert refusal.value.code == "EMAIL_EXISTS"
    user.delete()
