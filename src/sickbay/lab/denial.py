"""What a service accepts and refuses later: networks and clusters of Operator Nexus."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, Final

from sickbay.lab.admission import is_about
from sickbay.lab.bodies import Body
from sickbay.lab.estate import Estate
from sickbay.model.ids import arm_type

_CLOUD: Final = "Microsoft.NetworkCloud"
_LAYER3: Final = (f"{_CLOUD}/l3Networks", f"{_CLOUD}/defaultCniNetworks")
_NETWORKS: Final = (*_LAYER3, f"{_CLOUD}/cloudServicesNetworks", f"{_CLOUD}/l2Networks")
_HYBRID: Final = "microsoft.hybridcontainerservice"
_MOST_SERVICES: Final = 200
Network = IPv4Network | IPv6Network


def denied(estate: Estate, id: str, body: Body) -> dict[str, Any] | None:
    """The error in which an operation will end, if it will."""
    stated = _stated(estate, id)
    if stated:
        return stated
    type, said = arm_type(id).casefold(), ""
    if type in (name.casefold() for name in _LAYER3):
        said = _overlap(estate, id, body) or _closed(estate, body, "l3IsolationDomainId")
        said = said or _unfit(estate, body)
    elif type == f"{_CLOUD}/l2Networks".casefold():
        said = _closed(estate, body, "l2IsolationDomainId")
    elif type == f"{_CLOUD}/cloudServicesNetworks".casefold():
        said = _crowded(estate, id)
    elif type == f"{_HYBRID}/virtualnetworks":
        said = _misspelt(estate, body)
    elif type == f"{_HYBRID}/provisionedclusters":
        said = _second(estate, id)
    return _refusal(type, said) if said else None


def _refusal(type: str, said: str) -> dict[str, Any]:
    """A refusal by an admission webhook: the code is the sentence itself, as recorded."""
    hook = f"v{type.rpartition('/')[2].removesuffix('s')}.kb.io"
    return {"code": said, "message": f'admission webhook "{hook}" denied the request: {said}'}


def _stated(estate: Estate, id: str) -> dict[str, Any] | None:
    for given in estate.world.outcomes:
        rule = estate.place.filled(dict(given))
        if is_about(id, str(rule.get("of", ""))):
            return dict(rule["error"])
    return None


def _overlap(estate: Estate, id: str, body: Body) -> str:
    own = _prefix(body)
    for type in _LAYER3:
        for other in estate.store.of_type(type) if own else ():
            found = estate.store.get(other) or {}
            theirs = _prefix(found)
            is_near = other != id.casefold() and _site(found) == _site(body)
            if is_near and own and theirs and own.overlaps(theirs):
                name = found.get("name", "")
                return (
                    f"Specified IPv4Connected Prefix {own} overlaps with existing prefix {theirs} "
                    f"from {name}"
                )
    return ""


def _prefix(body: Body) -> Network | None:
    try:
        return ip_network(str(_of(body, "ipv4ConnectedPrefix")), strict=False)
    except ValueError:
        return None


def _site(body: Body) -> str:
    return str((body.get("extendedLocation") or {}).get("name", "")).casefold()


def _of(body: Body, field: str) -> Any:
    return (body.get("properties") or {}).get(field, "")


def _closed(estate: Estate, body: Body, field: str) -> str:
    """A network works only on an isolation domain that is there and was enabled."""
    id = str(_of(body, field))
    domain = estate.store.get(id) if id else None
    if domain is None:
        return f"isolation domain {id} was not found"
    state = str(_of(domain, "administrativeState"))
    if state == "Enabled":
        return ""
    return f"isolation domain {domain['name']} is not enabled: administrativeState is {state}"


def _unfit(estate: Estate, body: Body) -> str:
    """VLAN and prefix must be those of an internal network of the domain."""
    domain, own = str(_of(body, "l3IsolationDomainId")), _prefix(body)
    vlan = _of(body, "vlan")
    for id in estate.store.in_collection(f"{domain}/internalNetworks"):
        inner = estate.store.get(id) or {}
        prefixes = [str(one.get("prefix")) for one in _of(inner, "connectedIPv4Subnets") or ()]
        if _of(inner, "vlanId") == vlan and (own is None or str(own) in prefixes):
            return ""
    name = domain.rpartition("/")[2]
    return f"vlan {vlan} and prefix {own} match no internal network of isolation domain {name}"


def _crowded(estate: Estate, id: str) -> str:
    known = estate.store.of_type(f"{_CLOUD}/cloudServicesNetworks")
    if sum(one != id.casefold() for one in known) < _MOST_SERVICES:
        return ""
    return f"maximum number of cloud services networks ({_MOST_SERVICES}) reached for the cluster"


def _misspelt(estate: Estate, body: Body) -> str:
    """The id of the wrapped network is compared letter by letter."""
    profile = _of(body, "infraVnetProfile") or {}
    wanted = str((profile.get("networkCloud") or {}).get("networkId", ""))
    if not wanted:
        return ""
    exact = [estate.store.id(one) for type in _NETWORKS for one in estate.store.of_type(type)]
    return "" if wanted in exact else f"network {wanted} was not found"


def _second(estate: Estate, id: str) -> str:
    """An appliance makes one cluster at a time; a second one that comes meanwhile fails."""
    others = estate.operations.under_way("Microsoft.HybridContainerService/provisionedClusters")
    busy = [one for one in others if one.casefold() != id.casefold()]
    return "context deadline exceeded: timed out waiting for the control plane" if busy else ""
