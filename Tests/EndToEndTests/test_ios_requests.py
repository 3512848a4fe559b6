"""The requests of the iOS SDK, header for header and path for path (client-contract.md §§1-4)."""

import json

from support import links
from support.client import LEGACY
from support.mail import html_of

HEADERS = {
    "Content-Type": "application/json", "X-Client-Version": "iOS/FirebaseSDK/12.19.0/FirebaseCore-iOS",
    "X-Ios-Bundle-Identifier": "com.example.app", "X-Firebase-GMPID": "1:1234567890:ios:0123456789abcdef", "Accept-Language": "de",
    "X-Firebase-Locale": "fr", "User-Agent": "FirebaseAuth.iOS/12.19.0 com.example.app/1.0 iPhone/18.0 hw/sim",
}
IOS = {"clientType": "CLIENT_TYPE_IOS"}


def test_a_whole_day_of_the_ios_sdk(api, inbox, address):
    email, new = address("ios"), address("newer")

    def call(method, **body):
        return api.client.post(f"/www.googleapis.com{LEGACY}/{method}?key=any-key", body, HEADERS)

    def only_user(token):
        [user] = call("getAccountInfo", idToken=token).ok()["users"]
        return user

    def code(to, count=1):
        return links.code(inbox.wait_for(to, count)["link"])

    signed_up = call("signupNewUser", email=email, password="first password", returnSecureToken=True, **IOS).ok()
    assert only_user(signed_up["idToken"])["email"] == email

    # sendSignInLink fills the bundle's name in; signIn(withEmail:link:) sends no returnSecureToken.
    call("getOobConfirmationCode", requestType="EMAIL_SIGNIN", email=email, continueUrl="http://localhost/done",
         iOSBundleId="com.example.app", canHandleCodeInApp=True, **IOS).ok()
    assert '<html lang="fr"' in html_of(inbox.message(inbox.wait_for(email))), "X-Firebase-Locale comes before Accept-Language"
    signed_in = call("emailLinkSignin", email=email, oobCode=code(email)).ok()
    assert (signed_in["localId"], signed_in["isNewUser"], signed_in["expiresIn"]) == (signed_up["localId"], False, "3600")
    assert "providerId" not in signed_in

    # The address is verified now, so the password of before is gone (§20.7); PASSWORD_RESET sets one.
    call("getOobConfirmationCode", requestType="PASSWORD_RESET", email=email, **IOS).ok()
    reset = code(email, 2)
    assert call("resetPassword", oobCode=reset).ok()["email"] == email
    assert call("resetPassword", oobCode=reset, newPassword="second password").ok()["requestType"] == "PASSWORD_RESET"
    with_password = call("verifyPassword", email=email, password="second password", returnSecureToken=True, **IOS).ok()

    # The token form of iOS: JSON, camelCase, and it refuses an empty access_token.
    body = json.dumps({"grantType": "refresh_token", "refreshToken": with_password["refreshToken"]})
    refreshed = api.client.request("POST", "/securetoken.googleapis.com/v1/token?key=any-key", body, HEADERS).ok()
    assert refreshed["access_token"] and refreshed["expires_in"] == "3600"
    token = refreshed["access_token"]

    # applyActionCode sends returnSecureToken and no token.
    call("getOobConfirmationCode", requestType="VERIFY_AND_CHANGE_EMAIL", idToken=token, newEmail=new, **IOS).ok()
    change = code(new)
    assert call("setAccountInfo", oobCode=change, returnSecureToken=True).ok()["email"] == new
    assert call("setAccountInfo", oobCode=change, returnSecureToken=True).code() == "INVALID_OOB_CODE"
    assert call("getAccountInfo", idToken=token).code() == "TOKEN_EXPIRED"
    assert call("setAccountInfo", oobCode=code(email, 3), returnSecureToken=True).ok()["email"] == email, "recovered"

    again = call("verifyPassword", email=email, password="second password", returnSecureToken=True, **IOS).ok()
    methods = call("createAuthUri", identifier=email, continueUri="http://www.google.com").ok()
    assert methods["kind"] == "identitytoolkit#CreateAuthUriResponse"
    assert call("deleteAccount", idToken=again["idToken"]).ok()["kind"] == "identitytoolkit#DeleteAccountResponse"
    assert api.user(email) is None
    # A request without a body is a GET there.
    assert api.client.get(f"/www.googleapis.com{LEGACY}/getProjectConfig?key=any-key", HEADERS).ok()["authorizedDomains"]
