"""A push service and a webhook of the test: an https server that answers as it is told."""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hmac import HMAC

CURVE = ec.SECP256R1()


class Received(NamedTuple):
    """A request: its path, its headers, its body."""

    path: str
    headers: dict[str, str]
    body: bytes


class Endpoint:
    """Takes requests; the first part of a path is the status to answer with."""

    def __init__(self) -> None:
        self.url = ""
        self.received: asyncio.Queue[Received] = asyncio.Queue()

    async def next(self) -> Received:
        return await asyncio.wait_for(self.received.get(), 60)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        headers = {n.lower(): v.strip() for n, _, v in (line.partition(":") for line in lines)}
        path = first.split()[1]
        body = await reader.readexactly(int(headers["content-length"]))
        status = path.split("/")[1]
        to = f"Location: {self.url}/201/elsewhere\r\n" if status == "302" else ""
        writer.write(f"HTTP/1.1 {status} Said\r\n{to}Content-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        self.received.put_nowait(Received(path, headers, body))


@asynccontextmanager
async def endpoint(folder: Path) -> AsyncIterator[Endpoint]:
    """An endpoint on this machine; its certificate is in the folder, as `cert.pem`."""
    taking = Endpoint()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(folder))
    server = await asyncio.start_server(taking.serve, "127.0.0.1", 0, ssl=context)
    taking.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield taking


def certificate(folder: Path) -> Path:
    """A file with a new key and its certificate, for this machine."""
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "endpoint")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / "cert.pem"
    file.write_bytes(private + made.public_bytes(pem))
    return file


class Phone:
    """The keys of a browser, and what it does with a message (RFC 8291, RFC 8188)."""

    def __init__(
        self, key: ec.EllipticCurvePrivateKey | None = None, auth: bytes = b"a" * 16
    ) -> None:
        self.key = key or ec.generate_private_key(CURVE)
        self.auth = auth

    def keys(self) -> dict[str, str]:
        return {"p256dh": encoded(point(self.key.public_key())), "auth": encoded(self.auth)}

    def read(self, body: bytes) -> bytes:
        salt, size, theirs = body[:16], body[20], body[21 : 21 + body[20]]
        assert int.from_bytes(body[16:20]) >= len(body) - 21 - size  # one record has all
        sender = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs)
        shared = self.key.exchange(ec.ECDH(), sender)
        first = code(self.auth, shared)
        info = b"WebPush: info\0" + point(self.key.public_key()) + theirs
        secret = code(salt, code(first, info + b"\1"))
        key = code(secret, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = code(secret, b"Content-Encoding: nonce\0\1")[:12]
        padded = AESGCM(key).decrypt(nonce, body[21 + size :], None).rstrip(b"\0")
        assert padded[-1] == 2  # the delimiter of a last record
        return padded[:-1]

    def notice(self, received: Received) -> Any:
        assert received.headers["content-encoding"] == "aes128gcm"
        return json.loads(self.read(received.body))


def claims(header: str, public: str) -> Any:
    """What a server says of itself in `Authorization`, signed with its public key (RFC 8292)."""
    scheme, token, key = header.replace(",", "").split()
    assert (scheme, key) == ("vapid", f"k={public}")
    head, body, signature = token.removeprefix("t=").split(".")
    both = decoded(signature)
    r, s = int.from_bytes(both[:32]), int.from_bytes(both[32:])
    known = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(public))
    signed = f"{head}.{body}".encode()
    known.verify(encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    return json.loads(decoded(body))


def code(key: bytes, text: bytes) -> bytes:
    made = HMAC(key, hashes.SHA256())
    made.update(text)
    return made.finalize()


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_bytes(serialization.Encoding.X962, form)


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
