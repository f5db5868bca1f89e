"""Names under which secrets stand, and values that only look like secrets."""

import re
from enum import IntEnum
from functools import cache, lru_cache
from typing import Final

# What tokens begin with, and words of commands that log in; a test holds them to their finders.
TOKENS: Final = (
    "bearer ",
    "basic ",
    *"c=mii &s= 0026s= -----begin ls0tls1crudjti yxbpvmvyc2lvbjog eyj auth sig= sig%3d == +asb "
    "+aeh +acr azse jqqj99 q~ akia ghp_ ghs_ github_pat_ glpat-".split(),
)
COMMANDS: Final = (" login", "sshpass", "curl ", "convertto-securestring")


class Rank(IntEnum):
    """How surely a key names a secret."""

    NONE = 0
    # The bare words are names of objects and part of prose as often as they announce a secret.
    WEAK = 1
    STRONG = 2


# Every name of a secret ends in one of these words; "data" or a number may follow.
WORDS: Final = (
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "key",
    "cookie",
    "assertion",
    "sharedaccesssignature",
    "dockerconfigjson",
    "dockercfg",
)
_JOINTS: Final = str.maketrans("", "", "-_. ")
_STRONG: Final = (
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "clientsecret",
    "appsecret",
    "applicationsecret",
    "principalsecret",
    "sharedsecret",
    "consumersecret",
    "oauthsecret",
    "webhooksecret",
    "signingsecret",
    "secretkey",
    "accesskey",
    "accountkey",
    "sharedkey",
    "storagekey",
    "apikey",
    "privatekey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "primarykey",
    "secondarykey",
    "subscriptionkey",
    "functionkey",
    "functionskey",
    "workspacekey",
    "authkey",
    "pskkey",
    "presharedkey",
    "registrationkey",
    "clientkeydata",
    "cookie",
    "clientassertion",
    "sharedaccesssignature",
    "dockerconfigjson",
    "dockercfg",
)
# Objects that hold a secret, and switches: their names end the same way.
_HARMLESS: Final = (
    "existingsecret",
    "pullsecret",
    "tlssecret",
    "certsecret",
    "certificatesecret",
    "casecret",
    "registrysecret",
    "credentialsecret",
    "credentialssecret",
    "passwordsecret",
    "publickey",
    "serviceaccounttoken",
    "continuetoken",
    "skiptoken",
    "disablepassword",
    "expectedtoken",
)
_NO_SECRETS: Final = frozenset(
    ("", "true", "false", "null", "nil", "none", "~", "undefined", "<nil>", "-", "yes", "no", "n/a")
)
_OPENERS: Final = (
    "<",
    "{",
    "[parameters(",
    "[variables(",
    "[reference(",
    "[listkeys(",
    "[concat(",
    "[if(",
    "@microsoft.keyvault",
    "[redacted",
    "(sensitive",
    "[]",
    "map[",
    "(*",
    "&v1.",
    "&core",
    "[hidden",
    "[filtered",
)
_VARIABLE: Final = r"\$(?:env:)?[({]?[A-Z_][A-Z0-9_]*[)}]?|%[A-Z_]+%|redacted|REDACTED"
_MASK: Final = "*x.•…"
_MARK: Final = r"«removed:[a-z-]+»"


@lru_cache(maxsize=4096)
def rank(key: str) -> Rank:
    """How surely a whole key, in any spelling, names a secret."""
    flat = key.lower().rstrip("0123456789").translate(_JOINTS)
    if flat.endswith(_HARMLESS):
        return Rank.NONE
    if flat.endswith(_STRONG):
        return Rank.STRONG
    if flat.endswith(("token", "assertion")):
        return Rank.WEAK if flat in ("token", "assertion") else Rank.STRONG
    if not flat.endswith("secret"):
        return Rank.NONE
    # AZURE_X_SECRET is a setting that holds a secret; mySecret is as likely the name of an object.
    return Rank.STRONG if key.isupper() and "_" in key else Rank.WEAK


def holds_no_secret(value: str) -> bool:
    """Whether a value is a switch, a reference, a mask or one of our own marks."""
    plain = value.strip(" \t\"'\\,;")
    lowered = plain.lower()
    if lowered in _NO_SECRETS or lowered.startswith(_OPENERS):
        return True
    if not plain.strip(_MASK) or re.fullmatch(_MARK, plain):
        return True
    return plain[0] in "$%rR" and re.fullmatch(_VARIABLE, plain) is not None


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Patterns are compiled when first needed: most texts hold no secret."""
    return re.compile(pattern)


def matched(pattern: str, text: str, at: int) -> re.Match[str] | None:
    """A match at a place."""
    return compiled(pattern).match(text, at)
