"""Web push: messages encrypted for one browser (RFC 8291), signed by this server (RFC 8292)."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from headway.server.core.codes import as_bytes, as_text

CURVE = ec.SECP256R1()
POINT_BYTES = 65
AUTH_BYTES = 16
RECORD_BYTES = 4096
"""The size of the one record; push services take no longer messages."""
TOKEN_SECONDS = 12 * 3600
"""How long a signature lasts; push services allow a day."""
_LAST_RECORD = b"\x02"


class Browser(msgspec.Struct, frozen=True):
    """Where a browser is reached: the address of its push service, its public key, a secret."""

    endpoint: str
    p256dh: str
    auth: str


def new_key() -> bytes:
    """Returns a new private key of a server."""
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return number.to_bytes(32)


def is_browser_key(p256dh: str, auth: str) -> bool:
    """Tells whether messages can be encrypted for these."""
    try:
        _public_key(p256dh)
        return len(as_bytes(auth)) == AUTH_BYTES
    except ValueError:
        return False


class Vapid:
    """Signs messages with the server's key; `contact` says whom a push service may write to."""

    def __init__(self, key: bytes, contact: str) -> None:
        self._key = ec.derive_private_key(int.from_bytes(key), CURVE)
        self._contact = contact
        self.public = as_text(_point(self._key.public_key()))
        """What browsers have to know of the server that they allow to call."""

    def headers(self, endpoint: str) -> dict[str, str]:
        """Returns the header that signs a message to a push service."""
        parts = urlsplit(endpoint)
        expires = int(time.time()) + TOKEN_SECONDS
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": expires, "sub": self._contact}
        head = {"typ": "JWT", "alg": "ES256"}
        signed = ".".join(as_text(msgspec.json.encode(part)) for part in (head, claims))
        signature = self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        r, s = decode_dss_signature(signature)
        token = f"{signed}.{as_text(r.to_bytes(32) + s.to_bytes(32))}"
        return {"authorization": f"vapid t={token}, k={self.public}"}


def encrypted(
    text: bytes,
    browser: Browser,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Returns a message that only the browser can read; key and salt are new for each message."""
    key, salt = key or ec.generate_private_key(CURVE), salt or os.urandom(16)
    theirs, ours = _public_key(browser.p256dh), _point(key.public_key())
    shared = key.exchange(ec.ECDH(), theirs)
    info = b"WebPush: info\0" + _point(theirs) + ours
    secret = _derived(shared, as_bytes(browser.auth), info, 32)
    content_key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!IB", RECORD_BYTES, len(ours)) + ours
    return head + AESGCM(content_key).encrypt(nonce, text + _LAST_RECORD, None)


def push_headers(seconds: int, topic: str, *, urgent: bool) -> Mapping[str, str]:
    """Returns what a push service has to know: how long to try, and what a message replaces."""
    return {
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(seconds),
        "topic": topic,
        "urgency": "high" if urgent else "normal",
    }


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _public_key(text: str) -> ec.EllipticCurvePublicKey:
    """Returns a browser's key; raises ValueError for what is no point of the curve."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, as_bytes(text))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_bytes(serialization.Encoding.X962, form)
