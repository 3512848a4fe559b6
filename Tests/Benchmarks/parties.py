"""The programs that take part: Postern, mail servers, nginx, and what makes load. On loopback only, ended by their own process id."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LINK_DOMAIN = "links.example.com"
CORES = os.cpu_count() or 1


def find(program):
    path = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not path:
        raise SystemExit(f"bench: {program} is missing: make install-test-deps")
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port, process):
    for _ in range(500):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.01)
    raise SystemExit(f"bench: {process.args[0]} does not listen on port {port}")


class Party:
    """A process that runs as long as the block under `with`."""

    process = None
    # SIGKILL, so that Postern does not wait for the mail server that never answers; nothing that it accepted is lost by this.
    end = signal.SIGKILL

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(self.end)
            self.process.wait()


class Postern(Party):
    """The service, ready. `folder` holds its database and, unless `keys` names another folder, its keys."""

    def __init__(self, folder, mail_port, keys=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self.database = self.folder / "postern.sqlite3"
        configuration = {
            "listen": "127.0.0.1:0", "publicURL": "https://auth.example.com", "adminTokens": ["bench-admin-token"],
            "database": f"sqlite:{self.database}", "secrets": ["a secret of the benchmark, 32 bytes and more"],
            "tokenKeys": str(keys or self.folder / "keys"), "templates": str(ROOT / "Templates"), "hosting": str(ROOT / "Hosting"),
            "smtp": {"url": f"smtp://127.0.0.1:{mail_port}", "tls": "off", "connections": 8}, "log": {"level": "error"},
            "projects": [{
                "id": "bench", "displayName": "Bench", "apiKeys": ["bench-key"], "authorizedDomains": ["app.example.com"],
                "linkDomains": [LINK_DOMAIN],
                "limits": {name: "1000000/15m" for name in ("perAddress", "perClient", "perProject")}, "mail": {"from": "Bench <noreply@example.com>"},
                "apps": {
                    "ios": [{"bundleID": "com.example.app", "teamID": "ABCDE12345", "appStoreID": "123456789"}],
                    "android": [{"packageName": "com.example.app", "sha256CertFingerprints": [":".join(["A1"] * 32)]}],
                },
            }],
        }
        (self.folder / "postern.json5").write_text(json.dumps(configuration))
        program = os.environ.get("POSTERN", str(ROOT / ".build/release/postern"))
        with open(self.folder / "log", "ab") as log:
            start = time.perf_counter()
            self.process = subprocess.Popen(
                [program, "serve", "--config", str(self.folder / "postern.json5")], stdout=subprocess.PIPE, stderr=log)
        line = self.process.stdout.readline().decode()
        self.milliseconds_to_ready = (time.perf_counter() - start) * 1000
        if "http://" not in line:
            raise SystemExit(f"bench: postern did not start:\n{(self.folder / 'log').read_text()}")
        self.url = line.split()[-1]

    def get(self, path):
        with urllib.request.urlopen(urllib.request.Request(self.url + path, headers={"Host": LINK_DOMAIN})) as response:
            return response.read()

    def mails_sent(self):
        line = next(line for line in self.get("/metrics").decode().splitlines() if 'outcome="accepted"' in line)
        return float(line.split()[-1])

    def memory(self, which):
        """VmRSS (now) or VmHWM (the most so far), in MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split(which + ":")[1].split()[0]) / 1024


class MailSink(Party):
    """Postfix's smtp-sink, which takes every mail and throws it away, or writes the first to `capture`."""

    def __init__(self, port=None, capture=None):
        self.port = port or free_port()
        command = [find("smtp-sink")]
        if os.geteuid() == 0:
            command += ["-u", "nobody"] if not capture else ["-u", "root"]
        if capture:
            command += ["-D", str(capture)]
        self.process = subprocess.Popen([*command, f"127.0.0.1:{self.port}", "1024"], stderr=subprocess.DEVNULL)
        wait_for_port(self.port, self.process)


class SilentMailServer(Party):
    """Connections are taken, by the kernel, and never greeted: mails wait, and delivering them costs nothing."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.socket.getsockname()[1]

    def stop(self):
        self.socket.close()


class Nginx(Party):
    """nginx with two workers, serving `body` as the association file."""

    # The master ends its workers only when it is asked to end.
    end = signal.SIGTERM

    def __init__(self, folder, body):
        folder = pathlib.Path(folder)
        (folder / "root/.well-known").mkdir(parents=True)
        (folder / "root/.well-known/apple-app-site-association").write_bytes(body)
        port = free_port()
        user = "user root;" if os.geteuid() == 0 else ""
        temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        (folder / "nginx.conf").write_text(f"""
            {user} worker_processes 2; daemon off; pid {folder}/pid; error_log {folder}/error.log;
            events {{ worker_connections 1024; }}
            http {{
                access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=100; {temporary}
                default_type application/json;
                server {{ listen 127.0.0.1:{port}; root {folder}/root; add_header Cache-Control "public, max-age=3600"; }}
            }}""")
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen([find("nginx"), "-c", str(folder / "nginx.conf"), "-p", str(folder)], stderr=subprocess.DEVNULL)
        wait_for_port(port, self.process)


def wrk(url, script, *arguments, seconds, connections=64, headers=()):
    """Makes load with wrk; gives what summary.lua writes, and `rate`. Any answer but a success ends the benchmark."""
    command = [find("wrk"), "-t2", f"-c{connections}", f"-d{seconds}", "-s", script]
    for header in headers:
        command += ["-H", header]
    output = subprocess.run([*command, url, "--", *map(str, arguments)], cwd=HERE, capture_output=True, text=True)
    line = next((line for line in output.stdout.splitlines() if line.startswith("RESULT ")), None)
    if not line:
        raise SystemExit(f"bench: wrk failed:\n{output.stdout}{output.stderr}")
    result = json.loads(line.removeprefix("RESULT "))
    if result["refused"] or result["broken"]:
        raise SystemExit(f"bench: {script} at {url}: {result['refused']} requests refused, {result['broken']} broken")
    result["rate"] = result["requests"] / result["seconds"]
    return result


def openssl_signs(seconds):
    """RSA-2048 signatures a second that this machine makes on all cores."""
    output = subprocess.run(
        [find("openssl"), "speed", "-seconds", str(seconds), "-multi", str(CORES), "rsa2048"], capture_output=True, text=True, check=True)
    return float(next(line for line in output.stdout.splitlines() if line.startswith("rsa 2048 bits")).split()[-2])


def smtp_source(port, count, size):
    """Mails a second of postfix's own load generator, 8 sessions that stay open."""
    start = time.perf_counter()
    subprocess.run(
        [find("smtp-source"), "-d", "-s", "8", "-m", str(count), "-l", str(size), "-f", "noreply@example.com",
         "-t", "someone@people.example.com", f"inet:127.0.0.1:{port}"], check=True)
    return count / (time.perf_counter() - start)


def build_insert_rows(folder):
    program = pathlib.Path(folder) / "insert_rows"
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(HERE / "insert_rows.c"), "-lsqlite3"], check=True)
    return program
