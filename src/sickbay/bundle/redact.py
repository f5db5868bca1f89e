"""Takes secrets out of texts and documents, and on request puts pseudonyms for identities."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from sickbay.bundle.secretkeys import COMMANDS, TOKENS, WORDS, Rank, holds_no_secret, rank

if TYPE_CHECKING:
    from sickbay.bundle.secretvalues import Span

# Taking one secret out can lay another one bare; more rounds than this were never needed.
_ROUNDS: Final = 5
_DEEPEST: Final = 150
_SHORT: Final = 2000
# `://` stands in every link; a login in a URL has an `@` as well.
_BEGINNINGS: Final = (
    "@",
    *WORDS,
    *TOKENS,
    *COMMANDS,
)
_MOST_NAMES: Final = 20_000
_ASCII_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_WHOLE: Final = frozenset(("protectedsettings", "customdata", "userdata"))
_SECURE_TYPES: Final = ("securestring", "secureobject")
_CONTENT: Final = ("data", "stringData")
_VALUES: Final = ("value", "defaultValue", "defaultvalue")
_NAMES: Final = ("name", "key", "Name", "Key")
_PUBLIC_OF_USER: Final = frozenset(
    ("username", "client-certificate", "client-certificate-data", "client-key", "tokenFile", "as")
)


class Pseudonyms(StrEnum):
    """Whether identities stay or are replaced."""

    OFF = "off"
    ON = "on"


class Redactor:
    """Redacts texts and documents; with pseudonyms, one identity has one name in all of them."""

    def __init__(
        self,
        pseudonyms: Pseudonyms = Pseudonyms.OFF,
        salt: bytes = b"",
        domains: Sequence[str] = (),
    ) -> None:
        self._names: dict[str, str] = {}
        self._rename = None
        if pseudonyms is Pseudonyms.ON:
            # Hashing and addresses are not needed to explain a pasted text.
            from sickbay.bundle.pseudonyms import Renamer  # noqa: PLC0415

            self._rename = Renamer(salt, domains).text

    def text(self, text: str) -> str:
        """The text with a mark for each secret."""
        clean = _without_secrets(text)
        return self._rename(clean) if self._rename else clean

    def document(self, value: Any) -> Any:
        """A copy of a JSON-like document without its secrets; the input stays as it is."""
        return self._cleaned(value, _DEEPEST)

    def _cleaned(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return self._mapping(value, depth - 1) if depth else _mark("nesting")
        if isinstance(value, list | tuple):
            if not depth:
                return _mark("nesting")
            return [self._cleaned(item, depth - 1) for item in value]
        return value

    def _mapping(self, mapping: dict[str, Any], depth: int) -> dict[str, Any]:
        names_a_secret = _names_a_secret(mapping)
        cleaned: dict[str, Any] = {}
        for key, item in mapping.items():
            name = self._name(key) if isinstance(key, str) else str(key)
            if names_a_secret and key in _VALUES:
                cleaned[name] = _blank(item, "secret", depth)
            else:
                cleaned[name] = self._member(mapping.get("kind"), str(key), item, depth)
        return cleaned

    def _name(self, key: str) -> str:
        """A key, redacted; the same few keys stand in every document."""
        known = self._names.get(key)
        if known is None:
            known = self.text(key)
            if len(self._names) < _MOST_NAMES:
                self._names[key] = known
        return known

    def _member(self, kind: object, key: str, item: Any, depth: int) -> Any:
        if key.lower() in _WHOLE or (kind == "Secret" and key in _CONTENT):
            return _blank(item, _kind(key), depth)
        if kind == "Config" and key == "users":
            return self._cleaned(_without_logins(item), depth)
        if kind == "SecretList" and key == "items" and isinstance(item, list):
            return [self._cleaned(_as_secret(one), depth) for one in item]
        return self._cleaned(_hidden(item, key) if rank(key) else item, depth)


def text(text: str) -> str:
    """The text with a mark for each secret."""
    return _without_secrets(text)


def document(value: Any) -> Any:
    """A copy of a JSON-like document without its secrets."""
    return Redactor().document(value)


def _without_secrets(text: str) -> str:
    for _ in range(_ROUNDS):
        lowered = _lowered(text)
        # One look for all beginnings is cheaper for a short text, and dearer for a long one.
        if len(text) < _SHORT and not _may_begin(lowered):
            break
        # Most texts hold no secret, and importing these takes time.
        from sickbay.bundle.secretcommands import command_secrets  # noqa: PLC0415
        from sickbay.bundle.secretfields import keyed_secrets  # noqa: PLC0415
        from sickbay.bundle.secretmanifests import secret_manifests  # noqa: PLC0415
        from sickbay.bundle.secrettokens import shaped_secrets  # noqa: PLC0415

        spans = [
            *shaped_secrets(text, lowered),
            *keyed_secrets(text, lowered),
            *command_secrets(text, lowered),
            *secret_manifests(text, lowered),
        ]
        if not spans:
            break
        text = _replaced(text, spans)
    return text


def _may_begin(lowered: str) -> bool:
    # A plain loop: every text of every document comes here.
    for word in _BEGINNINGS:  # noqa: SIM110
        if word in lowered:
            return True
    return False


def _lowered(text: str) -> str:
    lowered = text.lower()
    # Some letters grow when they are lowered; places must stay the same.
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)


def _replaced(text: str, spans: "list[Span]") -> str:
    parts: list[str] = []
    at = 0
    for start, end, kind in sorted(spans):
        if start >= at:
            parts += text[at:start], _mark(kind)
        # Line ends stay, so that a line has the same number before and after.
        parts.append("\n" * text.count("\n", max(at, start), end))
        at = max(at, end)
    parts.append(text[at:])
    return "".join(parts)


def _mark(kind: str) -> str:
    return f"«removed:{kind}»"


def _kind(key: str) -> str:
    lowered = key.lower()
    kinds = ("secret", "token", "key", "cookie", "protectedsettings", "data")
    return next((kind for kind in kinds if kind in lowered), "password")


def _names_a_secret(mapping: dict[str, Any]) -> bool:
    """Whether a mapping is a pair of a name and a value, and the name is one of a secret."""
    if not any(name in mapping for name in _VALUES):
        return False
    declared = mapping.get("type")
    if isinstance(declared, str) and declared.lower() in _SECURE_TYPES:
        return True
    names = [mapping.get(name) for name in _NAMES]
    return "keyName" in mapping or any(isinstance(name, str) and rank(name) for name in names)


def _hidden(item: Any, key: str) -> Any:
    """Marks for the plain values of a member; a structure is looked into by its own names."""
    if isinstance(item, str):
        return item if holds_no_secret(item) else _mark(_kind(key))
    if isinstance(item, list | tuple):
        return [_hidden(one, key) if not isinstance(one, dict) else one for one in item]
    if isinstance(item, dict):
        return {
            name: _blank(one, _kind(key), _DEEPEST) if name in _VALUES else one
            for name, one in item.items()
        }
    is_number = isinstance(item, int | float) and not isinstance(item, bool)
    return _mark(_kind(key)) if is_number and rank(key) is Rank.STRONG else item


def _blank(item: Any, kind: str, depth: int) -> Any:
    """Marks for all that a member holds, at any depth; names stay."""
    if isinstance(item, str):
        return item if holds_no_secret(item) else _mark(kind)
    if isinstance(item, dict) and depth:
        return {str(key): _blank(one, kind, depth - 1) for key, one in item.items()}
    if isinstance(item, list | tuple) and depth:
        return [_blank(one, kind, depth - 1) for one in item]
    return item if item is None or isinstance(item, bool) else _mark(kind)


def _without_logins(users: Any) -> Any:
    """The users of a kubeconfig: what is not known to be public is removed."""
    if not isinstance(users, list):
        return users
    return [
        {**user, "user": _login_removed(user["user"])}
        if isinstance(user, dict) and isinstance(user.get("user"), dict)
        else user
        for user in users
    ]


def _login_removed(login: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _mark(_kind(str(key)))
        if isinstance(item, str) and key not in _PUBLIC_OF_USER and not holds_no_secret(item)
        else item
        for key, item in login.items()
    }


def _as_secret(item: Any) -> Any:
    return {**item, "kind": "Secret"} if isinstance(item, dict) and "kind" not in item else item
