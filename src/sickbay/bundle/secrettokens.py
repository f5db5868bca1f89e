"""Secrets that show themselves by their shape: private keys, tokens, signatures, logins in URLs."""

import binascii
from collections.abc import Callable, Iterator
from typing import Final

from sickbay.bundle.secretkeys import compiled, holds_no_secret, matched
from sickbay.bundle.secretvalues import Span

# How far behind its beginning the end of a private key is looked for.
_KEY_SIZE: Final = 64 << 10
_URL_SIZE: Final = 8 << 10
_LONGEST_LOGIN: Final = 400
_PRIVATE: Final = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_END_MARK: Final = r"-----END[A-Z0-9 ]{0,60}(?:-----)?"
_UNFINISHED: Final = r"""(?:[A-Za-z0-9+/=\s:,.\-]|\\[nrt"])*+"""
_BASE64: Final = r"[A-Za-z0-9+/=_\-]++(?:\s++[A-Za-z0-9+/=]{48,}+)*+"
_DOTTED: Final = r"[A-Za-z0-9_\-=]++(?:\.[A-Za-z0-9_\-=]++){0,4}+"
_HEADER: Final = (
    r"""(?i)orization\\*+["']?+[ \t]*+[:=][ \t]*+\[?[ \t]*+\\*+["']?[ \t]*+"""
    r"""(?P<scheme>(?:Bearer|Basic|Digest|Negotiate|NTLM|SharedKey(?:Lite)?|AWS4-HMAC-SHA256|ApiKey"""
    r"""|Token|PoP|SharedAccessSignature|Hawk)[ \t]++)?+"""
)
_HEADER_REST: Final = r"""[^\r\n"'\\\]]++"""
_HEADER_WORD: Final = r"""[^\s"'\\\],]++"""
_REGISTRY_LOGIN: Final = r"""\\*+["'][ \t]*+:[ \t]*+\\*+["'](?P<value>[A-Za-z0-9+/]{8,}+={0,2})"""
_OPAQUE: Final = r"[A-Za-z0-9_.~+/=%\-]++"
_SPACE: Final = r"[ \t]++"
_PARAMETER: Final = r"""[^\s&"'<>;,\\)\]}#]++"""
_ENCODED_PARAMETER: Final = r"(?:[A-Za-z0-9_.~+\-]|%(?!26))++"
_POLL: Final = r"(?:[?&;]|\\u0026)(?:t=(?=\d{15})|[csh]=(?=[\w%\-]{20}))(?P<value>[\w%.~+/=\-]++)"
_AUTHORITY: Final = r"""[^\s"'<>`|]{1,400}+"""
_PORT: Final = r"\d{1,5}(?:/|\Z)"
_STORAGE_KEY: Final = r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}==(?![A-Za-z0-9+/=])"
_BASE64_SIGNS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_CLIENT_LOGIN: Final = r"[A-Za-z0-9_~.\-]{3}\dQ~[A-Za-z0-9_~.\-]{28,}+"
_VENDOR: Final = (
    r"AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30,}+|github_pat_[A-Za-z0-9_]{20,}+"
    r"|glpat-[A-Za-z0-9_\-]{16,}+"
)
_SIGNED: Final = ("c=mii", "&s=", "0026s=")
_SINGLE: Final = ("bearer", "basic", "token", "apikey", "pop", "negotiate", "ntlm")
_SHORTEST_JWT: Final = 20
_SHORTEST_TOKEN: Final = 16
_LONG_WORD: Final = 24
_MARKS: Final = ("+ASb", "+AEh", "+ACR", "JQQJ99", "AzSe")
_MARKED_KEY: Final = r"[A-Za-z0-9+/]{40,94}+={0,2}+(?![A-Za-z0-9+/])"


def shaped_secrets(text: str, lowered: str) -> Iterator[Span]:
    """Secrets that need no key to be told."""
    for literal, finder in _FINDERS:
        at = lowered.find(literal)
        while at >= 0:
            span = finder(text, at)
            if span:
                yield span
            at = lowered.find(literal, max(at + 1, span.end if span else 0))
    yield from _poll_links(text, lowered)


def _poll_links(text: str, lowered: str) -> Iterator[Span]:
    """The signed parameters of a link that follows a long operation of Azure."""
    for literal in _SIGNED:
        at = lowered.find(literal)
        while at >= 0:
            start, end = max(0, at - _URL_SIZE), at + _URL_SIZE
            if lowered.find("api-version=", start, end) >= 0:
                for found in compiled(_POLL).finditer(text, start, end):
                    yield Span(*found.span("value"), "signature")
            at = lowered.find(literal, end)


def _private_key(text: str, at: int) -> Span | None:
    begin = matched(_PRIVATE, text, at)
    if begin is None:
        return None
    next_key = text.find("-----BEGIN", begin.end(), begin.end() + _KEY_SIZE)
    limit = begin.end() + _KEY_SIZE if next_key < 0 else next_key
    end = text.find("-----END", begin.end(), limit)
    last = matched(_END_MARK, text, end) if end >= 0 else matched(_UNFINISHED, text, begin.end())
    return Span(at, last.end(), "private-key") if last else None


def _encoded_key(text: str, at: int) -> Span | None:
    if not text.startswith("LS0tLS1CRUdJTi", at) or b"PRIVATE" not in _decoded(text[at : at + 80]):
        return None
    found = matched(_BASE64, text, at)
    return Span(at, found.end(), "private-key") if found else None


def _encoded_kubeconfig(text: str, at: int) -> Span | None:
    if not text.startswith("YXBpVmVyc2lvbjog", at):
        return None
    found = matched(_BASE64, text, at)
    return Span(at, found.end(), "kubeconfig") if found else None


def _jwt(text: str, at: int) -> Span | None:
    found = matched(_DOTTED, text, at) if text.startswith("eyJ", at) else None
    if found is None or found.end() - at < _SHORTEST_JWT:
        return None
    # Without a dot it may be three letters in the middle of other base64.
    is_inside = "." not in found.group() and text[at - 1 : at] in _BASE64_SIGNS and at > 0
    return None if is_inside else Span(at, found.end(), "token")


def _authorization(text: str, at: int) -> Span | None:
    header = matched(_HEADER, text, at + len("auth"))
    if header is None:
        return _registry_login(text, at)
    scheme = (header["scheme"] or "").strip().lower()
    if not scheme:
        value = matched(_OPAQUE, text, header.end())
        is_secret = value is not None and _is_random(value.group())
    else:
        value = matched(_HEADER_WORD if scheme in _SINGLE else _HEADER_REST, text, header.end())
        is_secret = value is not None and not holds_no_secret(value.group())
    return Span(*value.span(), "token") if value and is_secret else None


def _registry_login(text: str, at: int) -> Span | None:
    found = matched(_REGISTRY_LOGIN, text, at + len("auth"))
    if found is None or text[at - 1 : at] not in ('"', "'") or b":" not in _decoded(found["value"]):
        return None
    return Span(*found.span("value"), "password")


def _bearer(text: str, at: int) -> Span | None:
    space = matched(_SPACE, text, at + len("bearer"))
    found = matched(_OPAQUE, text, space.end()) if space else None
    return Span(*found.span(), "token") if found and _is_random(found.group()) else None


def _basic(text: str, at: int) -> Span | None:
    space = matched(_SPACE, text, at + len("basic"))
    found = matched(_OPAQUE, text, space.end()) if space else None
    is_login = found is not None and b":" in _decoded(found.group())
    return Span(*found.span(), "password") if found and is_login else None


def _signature(text: str, at: int) -> Span | None:
    found = matched(_PARAMETER, text, at + len("sig="))
    if found is None or holds_no_secret(found.group()):
        return None
    in_query = text[max(0, at - 4) : at].endswith(("?", "&", "0026", "amp;"))
    is_long = found.end() - found.start() >= _SHORTEST_TOKEN
    return Span(*found.span(), "signature") if in_query or is_long else None


def _encoded_signature(text: str, at: int) -> Span | None:
    found = matched(_ENCODED_PARAMETER, text, at + len("sig%3d"))
    return Span(*found.span(), "signature") if found else None


def _url_login(text: str, at: int) -> Span | None:
    start = at + len("://")
    if text.find("@", start, start + _LONGEST_LOGIN) < 0:
        return None
    found = matched(_AUTHORITY, text, start)
    if found is None or "@" not in found.group():
        return None
    login = found.group().rpartition("@")[0]
    user, colon, password = login.partition(":")
    if not colon:
        is_token = len(login) >= _SHORTEST_JWT and not set("/.?#") & set(login)
        return Span(start, start + len(login), "token") if is_token else None
    if set("/?#") & set(user) or matched(_PORT, password, 0) or holds_no_secret(password):
        return None
    return Span(start + len(user) + 1, start + len(login), "password")


def _storage_key(text: str, at: int) -> Span | None:
    if text[at - 1 : at] not in _BASE64_SIGNS:
        return None
    found = matched(_STORAGE_KEY, text, max(0, at - 86))
    return Span(*found.span(), "key") if found else None


def _marked_key(text: str, at: int) -> Span | None:
    """Azure marks newer keys by letters in their middle."""
    if not text.startswith(_MARKS, at):
        return None
    before = text[max(0, at - 90) : at]
    start = at - len(before) + len(before.rstrip(_BASE64_SIGNS))
    found = matched(_MARKED_KEY, text, start)
    return Span(*found.span(), "key") if found else None


def _client_secret(text: str, at: int) -> Span | None:
    found = matched(_CLIENT_LOGIN, text, at - 4) if at >= len("abc8") else None
    return Span(*found.span(), "secret") if found else None


def _vendor(text: str, at: int) -> Span | None:
    found = matched(_VENDOR, text, at)
    return Span(*found.span(), "token") if found else None


def _is_random(word: str) -> bool:
    if len(word) < _SHORTEST_TOKEN or "=" in word.rstrip("="):
        return False
    return len(word) >= _LONG_WORD or any(sign.isdigit() for sign in word)


def _decoded(word: str) -> bytes:
    """The bytes of base64 text, as far as they go; nothing when it is none."""
    whole = word.rstrip("=")
    try:
        return binascii.a2b_base64(whole[: len(whole) // 4 * 4] or "")
    except (binascii.Error, ValueError):
        return b""


_FINDERS: Final[tuple[tuple[str, Callable[[str, int], Span | None]], ...]] = (
    ("-----begin", _private_key),
    ("ls0tls1crudjti", _encoded_key),
    ("yxbpvmvyc2lvbjog", _encoded_kubeconfig),
    ("eyj", _jwt),
    ("auth", _authorization),
    ("bearer ", _bearer),
    ("basic ", _basic),
    ("sig=", _signature),
    ("sig%3d", _encoded_signature),
    ("://", _url_login),
    ("==", _storage_key),
    ("+asb", _marked_key),
    ("+aeh", _marked_key),
    ("+acr", _marked_key),
    ("azse", _marked_key),
    ("jqqj99", _marked_key),
    ("q~", _client_secret),
    ("akia", _vendor),
    ("ghp_", _vendor),
    ("ghs_", _vendor),
    ("github_pat_", _vendor),
    ("glpat-", _vendor),
)
LITERALS: Final = (*_SIGNED, *(literal for literal, _ in _FINDERS))
