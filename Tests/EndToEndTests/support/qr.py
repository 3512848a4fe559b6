"""Reads the QR code of a page with a reader that is not ours."""

import re
import subprocess


def read(page: str, scale: int = 4) -> str:
    """The text of the one QR code on a page: its SVG is drawn as a picture and given to zbarimg."""
    [svg] = re.findall(r'<svg class="qr".*?</svg>', page, re.S)
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', svg).group(1))
    [path] = re.findall(r'<path fill="#000" d="([^"]*)"', svg)
    rows = [bytearray(b"\xff" * side) for _ in range(side)]
    runs = re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", path)
    assert "".join("M{} {}h{}v1h-{}z".format(*run) for run in runs) == path, "the path is made of rectangles only"
    for x, y, length, back in runs:
        assert length == back
        rows[int(y)][int(x):int(x) + int(length)] = bytes(int(length))
    pixels = b"".join(bytes(value for value in row for _ in range(scale)) * scale for row in rows)
    picture = f"P5 {side * scale} {side * scale} 255\n".encode() + pixels
    found = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", "pgm:-"], input=picture, capture_output=True, timeout=20)
    assert found.returncode == 0, found.stderr.decode()
    return found.stdout.decode().removesuffix("\n")
