"""The files by which a phone learns that a host belongs to an app."""

import json
from pathlib import Path

import jsonschema
import pytest

from support import configuration
from support.mail import free_port

DATA = Path(__file__).parent / "data"
APPLE = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]
ANDROID = "/.well-known/assetlinks.json"
HOSTS = {configuration.LINK_DOMAIN: "com.example.app", "auth.example.com": "com.example.plain"}


@pytest.mark.parametrize("host,app", HOSTS.items())
@pytest.mark.parametrize("path", APPLE)
def test_apple(serve, host, app, path):
    answer = serve.client.get(path, {"Host": host})
    assert answer.status == 200 and answer.headers["Content-Type"] == "application/json"
    assert len(answer.body) <= 128 << 10 and not answer.body.startswith(b"\xef\xbb\xbf")
    file = answer.json()
    jsonschema.validate(file, json.loads((DATA / "aasa.schema.json").read_text()))
    [details] = [entry for entry in file["applinks"]["details"] if "appIDs" in entry]
    assert details["appIDs"] == [f"ABCDE12345.{app}"]
    assert {"/": "/__/auth/action", "exclude": True}.items() <= details["components"][0].items()
    assert any(component.get("/") == "/__/auth/links" and not component.get("exclude") for component in details["components"])
    assert file["webcredentials"]["apps"] == [f"ABCDE12345.{app}"]


@pytest.mark.parametrize("host,app", HOSTS.items())
def test_android(serve, host, app):
    answer = serve.client.get(ANDROID, {"Host": host})
    assert answer.status == 200 and answer.headers["Content-Type"] == "application/json"
    file = answer.json()
    jsonschema.validate(file, json.loads((DATA / "assetlinks.schema.json").read_text()))
    [statement] = file
    assert "delegate_permission/common.handle_all_urls" in statement["relation"]
    assert statement["target"] == {
        "namespace": "android_app", "package_name": app, "sha256_cert_fingerprints": [configuration.FINGERPRINT]}


@pytest.mark.parametrize("path", [*APPLE, ANDROID])
def test_caching(serve, path):
    headers = {"Host": configuration.LINK_DOMAIN}
    whole = serve.client.get(path, headers)
    assert whole.headers["Cache-Control"] == "public, max-age=3600"
    head = serve.client.request("HEAD", path, headers=headers)
    assert (head.status, head.body) == (200, b"")
    for name in "Content-Type", "ETag", "Cache-Control", "Content-Length":
        assert head.headers[name] == whole.headers[name], name
    for tag in whole.headers["ETag"], "W/" + whole.headers["ETag"], '"x", ' + whole.headers["ETag"], "*":
        again = serve.client.get(path, headers | {"If-None-Match": tag})
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == whole.headers["ETag"]
    assert serve.client.get(path, headers | {"If-None-Match": '"x"'}).body == whole.body


@pytest.mark.parametrize("path", [*APPLE, ANDROID])
def test_the_host_decides(serve, path):
    ours = serve.client.get(path, {"Host": configuration.LINK_DOMAIN}).body
    for host in f"{configuration.LINK_DOMAIN}:443", configuration.LINK_DOMAIN.upper():
        assert serve.client.get(path, {"Host": host}).body == ours
    assert serve.client.get(path + "?x=1", {"Host": configuration.LINK_DOMAIN}).body == ours
    for host in "other.example.com", "example.com", f"x.{configuration.LINK_DOMAIN}", f"{configuration.LINK_DOMAIN}.evil.test", "127.0.0.1":
        answer = serve.client.get(path, {"Host": host})
        assert answer.status == 404 and b"com.example" not in answer.body


def test_dev_has_the_files_too(dev):
    assert dev.client.get(APPLE[0]).ok()["applinks"]["details"] == []
    assert dev.client.get(ANDROID).ok() == []


FURTHER = {
    "appLinkForm": "componentsAndPaths", "components": [{"path": "/orders/*", "query": {"preview": "no"}, "comment": "Orders"}],
    "appClips": [{"bundleID": "com.example.app.Clip", "teamID": "ABCDE12345"}],
    "dynamicAppLinks": True, "androidComponents": [{"path": "/orders/*", "exclude": False}], "loginCredentials": True,
}


def test_every_option(start_serve):
    """What the configuration adds to the files is served, fits the schemas and stands behind what protects the pages."""
    apps = {
        "ios": [{"bundleID": "com.example.app", "teamID": "ABCDE12345"}],
        "android": [{"packageName": "com.example.app", "sha256CertFingerprints": [configuration.FINGERPRINT.lower().replace(":", "")]}]}
    service = start_serve(configuration.smtp(free_port()), configuration.project("example", linkDomains=[configuration.LINK_DOMAIN], apps=apps | FURTHER))
    apple = service.client.get(APPLE[0], {"Host": configuration.LINK_DOMAIN}).ok()
    jsonschema.validate(apple, json.loads((DATA / "aasa.schema.json").read_text()))
    modern, legacy = apple["applinks"]["details"]
    assert modern["components"].index({"/": "/orders/*", "?": {"preview": "no"}, "comment": "Orders"}) > 2
    assert legacy["appID"] == "ABCDE12345.com.example.app" and legacy["paths"][-1] == "/__/auth/links"
    assert apple["applinks"]["apps"] == [] and apple["appclips"] == {"apps": ["ABCDE12345.com.example.app.Clip"]}
    [statement] = android = service.client.get(ANDROID, {"Host": configuration.LINK_DOMAIN}).ok()
    jsonschema.validate(android, json.loads((DATA / "assetlinks.schema.json").read_text()))
    assert statement["target"]["sha256_cert_fingerprints"] == [configuration.FINGERPRINT]
    assert "delegate_permission/common.get_login_creds" in statement["relation"]
    [extension] = statement["relation_extensions"].values()
    assert [component["/"] for component in extension["dynamic_app_link_components"]] == ["/__/auth/links", "/orders/*", "*"]


def test_firebase_form(start_serve):
    apps = {"ios": [{"bundleID": "com.example.app", "teamID": "ABCDE12345"}], "appLinkForm": "firebaseCompat"}
    service = start_serve(configuration.smtp(free_port()), configuration.project("example", linkDomains=[configuration.LINK_DOMAIN], apps=apps))
    assert service.client.get(APPLE[1], {"Host": configuration.LINK_DOMAIN}).body == (
        b'{"applinks":{"apps":[],"details":[{"appID":"ABCDE12345.com.example.app",'
        b'"paths":["NOT /__/auth/action/","NOT /__/auth/handler/","NOT /_/*","/*"]}]}}')
