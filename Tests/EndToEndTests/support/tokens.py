"""Verifies ID tokens the way a backend without Firebase's SDK would: PyJWT and the published keys."""

import jwt


def verify(token: str, url: str, project: str) -> dict:
    """The claims of a token whose signature, times, audience and issuer are good."""
    keys = jwt.PyJWKClient(f"{url}/.well-known/jwks.json", cache_jwk_set=False)
    key = keys.get_signing_key_from_jwt(token)
    return jwt.decode(
        token, key.key, algorithms=["RS256"], audience=project, issuer=f"https://securetoken.google.com/{project}",
        options={"require": ["aud", "auth_time", "exp", "iat", "iss", "sub"]})
