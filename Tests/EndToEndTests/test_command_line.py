"""The commands, as an operator types them."""


import jwt
import pytest

from support import configuration, links, tokens
from support.mail import free_port
from support.postern import run
from support.waiting import wait_until

COMMANDS = {
    "dev": "--data", "serve": "--config", "check": "--config", "preview": "--templates", "send": "--print-link", "inspect": "LINK",
    "keys": "rotate", "outbox": "purge", "hosting": "export",
}


@pytest.mark.parametrize("command,word", COMMANDS.items())
def test_help(command, word):
    ended = run(command, "--help")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert word in ended.stdout and f"postern {command}" in ended.stdout


def test_help_of_all_names_every_command():
    for arguments in ["--help"], ["help"]:
        ended = run(*arguments)
        assert ended.returncode == 0 and all(command in ended.stdout for command in [*COMMANDS, "version"])


def test_version():
    ended = run("version")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(ended.stdout.splitlines()) == 1 and any(character.isdigit() for character in ended.stdout)


@pytest.mark.parametrize("arguments,words", [
    ([], ["dev", "serve"]), (["nothing"], ["nothing", "expected"]), (["sreve"], ["serve"]), (["dev", "--prot", "1"], ["--prot", "--port"]),
    (["dev", "--port", "70000"], ["--port", "70000", "65535"]), (["dev", "--port"], ["--port"]), (["dev", "--port", "x"], ["--port"]),
    (["dev", "--host", "0.0.0.0"], ["--host", "0.0.0.0", "loopback"]), (["dev", "--host", "192.0.2.1"], ["loopback"]),
    (["dev", "--project", "UPPER"], ["--project"]), (["dev", "word"], ["word"]), (["serve"], ["--config"]), (["check"], ["--config"]),
    (["send", "--config", "x"], ["--project"]), (["inspect"], ["LINK"]), (["keys", "--config", "x"], ["list", "rotate"]),
    (["keys", "turn", "--config", "x"], ["turn", "rotate"]), (["outbox", "lst", "--config", "x"], ["list"]),
    (["send", "--config", "x", "--project", "p", "--type", "EMAIL_SIGNON", "--email", "a@b.example", "--continue-url", "https://b.example/"], ["EMAIL_SIGNIN"]),
    (["send", "--config", "x", "--project", "p", "--type", "EMAIL_SIGNIN", "--email", "ab", "--continue-url", "https://b.example/"], ["--email"]),
    (["send", "--config", "x", "--project", "p", "--type", "EMAIL_SIGNIN", "--email", "a@b.example", "--continue-url", "foo"], ["--continue-url"]),
], ids=" ".join)
def test_usage_errors(arguments, words):
    ended = run(*arguments)
    assert ended.returncode == 64 and ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert all(word in ended.stderr for word in words), ended.stderr


@pytest.fixture
def config(tmp_path):
    return configuration.write(
        tmp_path / "postern.json5", configuration.service(tmp_path, configuration.smtp(free_port()), [configuration.project("example")]))


def test_check_of_a_good_configuration(config):
    ended = run("check", "--config", config)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert not list(config.parent.glob("*.sqlite3")) and not (config.parent / "keys").exists(), "checking changes nothing"


def test_check_reads_json5(tmp_path):
    config = tmp_path / "postern.json5"
    config.write_text("""
        // A configuration as people write it.
        {
          publicURL: 'https://auth.example.com', /* unquoted keys, single quotes */
          secrets: ["env:TESTS_SECRET",],
          adminTokens: ["file:token"],
          smtp: { url: "smtp://mail.example.com:587", username: "u", password: "env:TESTS_PASSWORD", },
          projects: [ { id: "example", apiKeys: ["k"], authorizedDomains: ["example.com"], codeLifetimes: { signIn: "15m" },
                        mail: { from: "Example <noreply@example.com>" } }, ],
        }
    """)
    (tmp_path / "token").write_text("an-admin-token-from-a-file\n")
    environment = {"TESTS_SECRET": "s" * 32, "TESTS_PASSWORD": "p"}
    ended = run("check", "--config", config, environment=environment)
    assert ended.returncode == 0, ended.stderr
    ended = run("check", "--config", config)
    assert ended.returncode == 78
    assert "TESTS_SECRET" in ended.stderr and "TESTS_PASSWORD" in ended.stderr, "both problems at once"


@pytest.mark.parametrize("command", ["check", "serve"])
def test_a_bad_configuration_tells_all_that_is_wrong_and_no_secret(tmp_path, command):
    settings = configuration.service(
        tmp_path, {"url": "smtp://mail.example.com:587", "username": "u", "password": "mail-password-3310", "tls": "off", "conections": 4},
        [configuration.project("example", authorizedDomains=["https://example.com"], codeLifetimes={"signIn": "6 hours"}),
         configuration.project("example", apps={"ios": [{"bundleID": "com.example.app", "teamID": "short"}]})],
        publicURL="http://auth.example.com", secrets=["short-secret-771"], adminTokens=["short-2209"], publicUrl="x")
    config = configuration.write(tmp_path / "bad.json5", settings)
    ended = run(command, "--config", config)
    assert ended.returncode == 78 and "listening" not in ended.stdout
    lines = ended.stderr.splitlines()
    for key_path, word in [
        ("publicURL", "https"), ("publicUrl", "publicURL"), ("secrets[0]", "32"), ("adminTokens[0]", "16"), ("smtp.tls", "off"),
        ("smtp.conections", "connections"), ("projects[0].authorizedDomains[0]", "host"), ("projects[0].codeLifetimes.signIn", "6h"),
        ("projects[1].id", "example"), ("projects[1].apps.ios[0].teamID", "ten"),
    ]:
        matching = [line for line in lines if f" {key_path}:" in line]
        assert matching and any(word in line for line in matching), f"{key_path} is not reported:\n{ended.stderr}"
        assert all(str(config) in line for line in matching)
    for secret in "mail-password-3310", "short-secret-771", "short-2209":
        assert secret not in ended.stderr + ended.stdout


def test_check_lists_all_mistakes_in_the_templates_of_all_projects(tmp_path):
    """Paths are relative to the configuration; what is wrong in one folder does not hide what is wrong in another."""
    for name, text in [
        ("one/signIn/en/body.txt", "Hello,\n\nopen {{lnik}}\n"), ("one/sigIn/en/subject.txt", "x"),
        ("two/verifyEmail/sv/subject.txt", "x"), ("two/words/sv.json", "{}"), ("good/signIn/en/subject.txt", "Come in, %EMAIL%"),
    ]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    projects = [configuration.project(name, templates=name) for name in ("one", "two", "good")]
    config = configuration.write(tmp_path / "postern.json5", configuration.service(tmp_path, configuration.smtp(25), projects))
    ended = run("check", "--config", config)
    assert ended.returncode == 78
    for line in [
        f"{tmp_path}/one/signIn/en/body.txt:3:6: unknown variable 'lnik'; did you mean 'link'?",
        f"{tmp_path}/one/sigIn: there is no such mail; is it meant to be 'signIn'?",
        f"{tmp_path}/two/verifyEmail/sv/body.html: there is no such file", f"{tmp_path}/two/words/sv.json: 'plurals' is missing",
    ]:
        assert line in ended.stderr, ended.stderr
    assert "/good/" not in ended.stderr


def test_a_missing_configuration(tmp_path):
    for command in "check", "serve":
        ended = run(command, "--config", tmp_path / "nowhere.json5")
        assert ended.returncode == 78 and "nowhere.json5" in ended.stderr


def test_a_syntax_error_has_its_place(tmp_path):
    config = tmp_path / "broken.json5"
    config.write_text('{\n  publicURL: "https://auth.example.com",\n  secrets: [ "a-secret-that-stands-before-the-error" }\n}\n')
    ended = run("check", "--config", config)
    assert ended.returncode == 78 and "broken.json5:3:" in ended.stderr
    assert "a-secret-that-stands-before-the-error" not in ended.stderr


def send(config, email, *more):
    return run(
        "send", "--config", config, "--project", "example", "--type", "EMAIL_SIGNIN", "--email", email, "--continue-url",
        "https://example.com/finish", *more)


def test_send_without_a_running_server(start_serve, mail_server, address):
    mail = mail_server()
    service = start_serve(configuration.smtp(mail.port), start=False)
    email = address()
    ended = send(service.config, email)
    assert ended.returncode == 0, ended.stderr
    received = mail.wait_for(email, within=1)
    service.postern.start()
    assert service.api.complete(email, links.code(received.link)).ok()["isNewUser"] is True


def test_send_beside_a_running_server(start_serve, mail_server, address):
    mail = mail_server()
    service = start_serve(configuration.smtp(mail.port))
    email = address()
    ended = send(service.config, email)
    assert ended.returncode == 0, ended.stderr
    assert service.api.complete(email, links.code(mail.wait_for(email, within=30).link)).ok()["isNewUser"] is True


def test_send_and_inspect_a_link(serve, address):
    email = address()
    ended = send(serve.config, email, "--print-link", "--lang", "de")
    assert ended.returncode == 0, ended.stderr
    [link] = ended.stdout.splitlines()
    assert links.parse(link)["lang"] == "de"

    inspected = run("inspect", link, "--config", serve.config)
    assert inspected.returncode == 0, inspected.stderr
    for word in "signIn", "https://example.com/finish", "example":
        assert word in inspected.stdout
    assert links.code(link) not in inspected.stdout, "what is printed may be pasted anywhere"
    assert run("inspect", link).returncode == 0

    for altered in link.replace("finish", "finisH"), link.replace("lang=de", "lang=en"), link[:-1] + ("A" if link[-1] != "A" else "B"):
        inspected = run("inspect", altered, "--config", serve.config)
        assert inspected.returncode == 65 and inspected.stderr
    for nonsense in "x", "https://example.com/", "https://auth.example.com/__/auth/action", "\x1b[31m":
        inspected = run("inspect", nonsense, "--config", serve.config)
        assert inspected.returncode in (64, 65) and "\x1b" not in inspected.stdout + inspected.stderr
    # Nothing was used up.
    assert serve.api.complete(email, links.code(link)).ok()["isNewUser"] is True


def test_inspect_an_app_link(serve, address):
    link = serve.api.make_link(address(), canHandleCodeInApp=True, iOSBundleId="com.example.app")
    inspected = run("inspect", link, "--config", serve.config)
    assert inspected.returncode == 0 and "https://example.com/finish" in inspected.stdout


def test_send_is_refused_like_a_request(serve, address):
    ended = run(
        "send", "--config", serve.config, "--project", "example", "--type", "EMAIL_SIGNIN", "--email", address(), "--continue-url",
        "https://elsewhere.example/")
    assert ended.returncode not in (0, 64, 78) and "UNAUTHORIZED_DOMAIN" in ended.stderr
    ended = send(serve.config.parent / "nowhere.json5", address())
    assert ended.returncode == 78


def test_keys_are_rotated_and_old_tokens_stay_good(start_serve, mail_server, address):
    service = start_serve(configuration.smtp(mail_server().port))
    email = address()
    old = service.api.complete(email, links.code(service.api.make_link(email))).ok()
    before = run("keys", "list", "--config", service.config)
    assert before.returncode == 0 and len(before.stdout.splitlines()) == 1

    rotated = run("keys", "rotate", "--config", service.config)
    assert rotated.returncode == 0, rotated.stderr
    after = run("keys", "list", "--config", service.config)
    assert "PRIVATE" not in before.stdout + rotated.stdout + after.stdout
    published = wait_until(
        lambda: len(keys := service.client.get("/.well-known/jwks.json").ok()["keys"]) == 2 and keys, 15, "the new key in the published set")
    assert all(key["kid"] in after.stdout for key in published)

    # A key that was published just now is not known everywhere yet: the old one signs.
    def sign():
        return service.api.refresh(old["refreshToken"]).ok()["id_token"]
    new = sign()
    assert jwt.get_unverified_header(new)["kid"] == jwt.get_unverified_header(old["idToken"])["kid"]
    for token in old["idToken"], new:
        assert tokens.verify(token, service.postern.url, "example")["sub"] == old["localId"]
        assert service.api.call("lookup", idToken=token).ok()["users"]
    assert service.postern.stop() == 0
    # Five minutes later: the time of a key's making stands in its file's name.
    for file in list((service.data / "keys").glob("*.pem")):
        created, rest = file.name.split("-", 1)
        file.rename(file.with_name(f"{int(created) - 400}-{rest}"))
    service.postern.start()
    newest = jwt.get_unverified_header(sign())["kid"]
    assert newest in {key["kid"] for key in published} - {jwt.get_unverified_header(old["idToken"])["kid"]}
    assert tokens.verify(old["idToken"], service.postern.url, "example")


def test_outbox_list_and_hosting_export(start_serve, address, tmp_path):
    apps = {"ios": [{"bundleID": "com.example.app", "teamID": "ABCDE12345"}]}
    service = start_serve(configuration.smtp(free_port()), configuration.project("example", apps=apps, linkDomains=["links.example.com"]))
    email = address()
    service.api.send_link(email).ok()
    listing = run("outbox", "list", "--config", service.config)
    assert listing.returncode == 0 and "1 waiting, 0 failed" in listing.stdout and "example" in listing.stdout
    assert email not in listing.stdout, "the address stays out of what is pasted into tickets"

    out = tmp_path / "out"
    exported = run("hosting", "export", "--config", service.config, "--out", out)
    assert exported.returncode == 0, exported.stderr
    files = [path.relative_to(out) for path in out.rglob("*") if path.is_file()]
    assert {str(file) for file in files} == {
        f"{host}/{path}" for host in ("links.example.com", "auth.example.com")
        for path in ("apple-app-site-association", ".well-known/apple-app-site-association", ".well-known/assetlinks.json")}
    for file in files:
        host, path = str(file).split("/", 1)
        assert (out / file).read_bytes() == service.client.get("/" + path, {"Host": host}).body, file
    assert b"ABCDE12345.com.example.app" in (out / "links.example.com/apple-app-site-association").read_bytes()
