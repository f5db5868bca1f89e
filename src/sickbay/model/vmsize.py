"""VM sizes: what a name tells of cores and quota, and where a region offers them."""

import re
from collections.abc import Iterator
from typing import ClassVar, Final, NamedTuple

from sickbay.model.entity import ArmEntity, AzureShape

_SIZE: Final = re.compile(
    r"standard_(?P<series>[a-z]+?)(?P<s>s(?=\d))?(?P<number>\d{1,3})(?:-(?P<active>\d{1,3}))?"
    r"(?P<features>[a-z]*)(?:_(?P<part>[a-uw-z]\w*?))?(?:_(?P<version>v\d))?$",
    re.IGNORECASE,
)
# In the second generation of D the number is a step of the series, not the cores.
_STEPS: Final = {
    "1": 1,
    "2": 2,
    "3": 4,
    "4": 8,
    "5": 16,
    "11": 2,
    "12": 4,
    "13": 8,
    "14": 16,
    "15": 20,
}
# General-purpose series that take the place of another, newest first; then those with more memory.
_SUCCESSORS: Final = tuple(
    f"Standard_{series}{{cores}}{suffix}"
    for series in "DE"
    for suffix in "s_v6 ds_v6 s_v5 ds_v5 as_v5 ads_v5 s_v4 s_v3".split()
)
_LONGEST_NUMBER: Final = 4


class VmSize(NamedTuple):
    """The cores of one machine, and the names that its family's counter can have."""

    cores: int
    families: tuple[str, ...]


def vm_size(name: str | None) -> VmSize | None:
    """Read the name of a size; None when it follows no scheme that is known."""
    found = _SIZE.match(name or "")
    if not found:
        return None
    series, version = found["series"].upper(), (found["version"] or "").lower()
    is_step = series == "D" and version in {"", "v2"}
    cores = _STEPS.get(found["number"], 0) if is_step else int(found["number"])
    features = found["features"].upper()
    # A machine with more memory shares the counter of its series: B2ms is of BS.
    letters = dict.fromkeys((features, features.replace("M", "")))
    premium = "S" if found["s"] else ""
    # The accelerator stands in the counter's name, too: NC24ads_A100_v4 is of NCADSA100v4.
    parts = dict.fromkeys(((found["part"] or "").upper(), ""))
    families = tuple(
        f"standard{series}{premium}{letter}{part}{version}Family"
        for part in parts
        for letter in letters
    )
    return VmSize(cores, families) if cores else None


def stand_ins(name: str | None) -> Iterator[str]:
    """Sizes with as many cores that could take the place of one, the likeliest first."""
    size = vm_size(name)
    for pattern in _SUCCESSORS if size else ():
        other = pattern.format(cores=size.cores) if size else ""
        if other.casefold() != (name or "").casefold():
            yield other


class SkuPlaces(AzureShape, frozen=True, gc=False):
    locations: list[str] | None = None
    zones: list[str] | None = None


class SkuRestriction(AzureShape, frozen=True, gc=False):
    type: str | None = None
    reason_code: str | None = None
    restriction_info: SkuPlaces | None = None


class SkuLocation(AzureShape, frozen=True, gc=False):
    location: str | None = None
    zones: list[str] | None = None


class SkuCapability(AzureShape, frozen=True, gc=False):
    name: str | None = None
    value: str | None = None


class VmSku(ArmEntity, frozen=True, gc=False):
    """A size as a region offers it to a subscription, with what is withheld."""

    kind: ClassVar[str] = "Microsoft.Compute/locations/skus"
    look: ClassVar[str] = (
        "az vm list-skus -l {location} --resource-type virtualMachines --all -o json"
    )

    resource_type: str | None = None
    family: str | None = None
    locations: list[str] | None = None
    location_info: list[SkuLocation] | None = None
    restrictions: list[SkuRestriction] | None = None
    capabilities: list[SkuCapability] | None = None

    @property
    def key(self) -> str:
        return self.name.casefold()

    @property
    def cores(self) -> int:
        found = next((c.value for c in self.capabilities or () if c.name == "vCPUs"), None) or ""
        return int(found) if found.isdecimal() and len(found) <= _LONGEST_NUMBER else 0

    def is_in(self, region: str) -> bool:
        """Whether the list has the size in a region at all."""
        return any(_same(place, region) for place in self.locations or ())

    def withheld(self, region: str) -> str:
        """Why the subscription does not get the size anywhere in a region; empty if it does."""
        for one in self.restrictions or ():
            places = (one.restriction_info and one.restriction_info.locations) or [region]
            if (one.type or "").casefold() == "location" and any(_same(p, region) for p in places):
                return one.reason_code or "restricted"
        return ""

    def zones(self, region: str) -> tuple[str, ...]:
        """The zones of a region in which the subscription gets the size."""
        info = self.location_info or ()
        every = {
            zone for one in info if _same(one.location or "", region) for zone in one.zones or ()
        }
        for one in self.restrictions or ():
            if (one.type or "").casefold() == "zone" and one.restriction_info:
                every -= set(one.restriction_info.zones or ())
        return tuple(sorted(every))


def _same(one: str, other: str) -> bool:
    return one.replace(" ", "").casefold() == other.replace(" ", "").casefold()
