"""The innermost error that a text carries, and the codes of what is wrapped around it."""

from typing import Final

from sickbay.bundle.unwrap import Layer, layers, normal
from sickbay.record import NamedTuple

# What only says that something below it failed.
_CARRIERS: Final = frozenset(
    "resourceoperationfailure resourcedeploymentfailure deploymentfailed invalidtemplatedeployment "
    "resourcewritefailed multipleerrorsoccurred retryableerror partialsuccess badrequest conflict "
    "failed".split()
)


class Innermost(NamedTuple):
    """An error in one line; `carriers` are the codes around it, the outermost first."""

    text: str
    code: str = ""
    carriers: tuple[str, ...] = ()


def innermost(text: str) -> Innermost:
    """What a text says at its deepest: there the cause is, and the outside is packing."""
    found = layers(text)
    best = max(found, key=_depth, default=None)
    if best is None or not best.text:
        return Innermost(normal(text))
    around = list(
        dict.fromkeys(layer.code for layer in found if layer.depth < best.depth and layer.code)
    )
    if not best.code and around and not _is_carrier(around[-1]):
        # A quotation has no code of its own: it is the message of what quotes it.
        *around, code = around
        best = best._replace(code=code, text=f"{code}: {best.message}")
    return Innermost(_line(best), best.code, tuple(around))


def _depth(layer: Layer) -> tuple[bool, bool, int]:
    """How much a layer tells: one with a code and nothing below it comes before a deeper remark."""
    is_coded = bool(layer.code) and not _is_carrier(layer.code)
    return (layer.leaf, is_coded, layer.depth)


def _is_carrier(code: str) -> bool:
    return code.casefold() in _CARRIERS


def _line(layer: Layer) -> str:
    """A layer without its repetition: some codes are the whole sentence."""
    is_sentence = " " in layer.code and layer.code.rstrip(".") in layer.message
    return layer.message if is_sentence else layer.text
