"""What is no resource and is read all the same: subscriptions, providers, and questions by POST."""

import re
from collections.abc import Callable
from typing import Any, Final

from sickbay.lab.answers import Asked, Problem, Reply, group_not_found, not_found
from sickbay.lab.bodies import Body, types
from sickbay.lab.console import links
from sickbay.lab.estate import Estate
from sickbay.lab.graph import query
from sickbay.lab.outbound import outbound
from sickbay.lab.place import stamp
from sickbay.lab.reading import page
from sickbay.lab.roles import definitions
from sickbay.model.ids import arm

_SUBSCRIPTION: Final = r"/subscriptions/[^/]+"
_GROUP: Final = rf"{_SUBSCRIPTION}/resourcegroups/[^/]+"
_VERSIONS: Final = ("2024-07-01", "2025-05-01", "2024-01-01", "2021-04-01")
Table = Callable[[Estate, Asked], Reply]


def special(estate: Estate, asked: Asked) -> Reply | None:
    """The answer of a table, or nothing where a path names resources."""
    if asked.method == "GET" and asked.key in estate.answers:
        body = estate.answers[asked.key]
        return Reply(200, {"value": body} if isinstance(body, list) else body)
    for method, pattern, table in _TABLES:
        if method == asked.method and re.fullmatch(pattern, asked.key):
            return table(estate, asked)
    return None


def subscription(estate: Estate) -> Body:
    place = estate.place
    policies = {"locationPlacementId": "Public_2014-09-01", "quotaId": "PayAsYouGo_2014-09-01"}
    return {
        "id": f"/subscriptions/{place.subscription}",
        "authorizationSource": "RoleBased",
        "managedByTenants": [],
        "subscriptionId": place.subscription,
        "tenantId": place.tenant,
        "displayName": "Sickbay Lab",
        "state": "Enabled",
        "subscriptionPolicies": {**policies, "spendingLimit": "Off"},
        **estate.world.subscription,
    }


def _tenants(estate: Estate, asked: Asked) -> Reply:  # noqa: ARG001
    tenant = estate.place.tenant
    found = {"id": f"/tenants/{tenant}", "tenantId": tenant, "tenantCategory": "Home"}
    return Reply(200, {"value": [found]})


def _subscriptions(estate: Estate, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply(200, {"value": [subscription(estate)], "count": {"type": "Total", "value": 1}})


def _subscription(estate: Estate, asked: Asked) -> Reply:
    if asked.key != f"/subscriptions/{estate.place.subscription}":
        id = asked.id.rpartition("/")[2]
        message = f"The subscription '{id}' could not be found."
        return Problem(404, "SubscriptionNotFound", message).reply()
    return Reply(200, subscription(estate))


def _locations(estate: Estate, asked: Asked) -> Reply:
    name = estate.place.location
    found = {"id": f"{asked.id}/{name}", "name": name, "displayName": name, "type": "Region"}
    return Reply(200, {"value": [{**found, "metadata": {"regionType": "Physical"}}]})


def _providers(estate: Estate, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply(200, {"value": [_provider(estate, name) for name in sorted(estate.providers)]})


def _one_provider(estate: Estate, asked: Asked) -> Reply:
    wanted = asked.key.rpartition("/")[2]
    names = [name for name in estate.providers if name.casefold() == wanted]
    if not names:
        namespace = asked.id.rpartition("/")[2]
        message = f"The resource namespace '{namespace}' is invalid."
        return Problem(404, "InvalidResourceNamespace", message).reply()
    return Reply(200, _provider(estate, names[0]))


def _register(estate: Estate, asked: Asked) -> Reply:
    *_, name, verb = asked.id.split("/")
    known = {one.casefold(): one for one in estate.providers}
    name = known.get(name.casefold(), name)
    estate.providers[name] = "Registered" if verb.casefold() == "register" else "NotRegistered"
    return Reply(200, _provider(estate, name))


def _provider(estate: Estate, name: str) -> Body:
    known = {type.casefold(): type for type in (*types(), *estate.store.types())}
    own = [type for key, type in sorted(known.items()) if key.startswith(f"{name.casefold()}/")]
    rows = [
        {
            "resourceType": type.partition("/")[2],
            "locations": [estate.place.location],
            "apiVersions": list(estate.world.versions.get(type, _VERSIONS)),
            "capabilities": "None",
        }
        for type in own
    ]
    return {
        "id": f"/subscriptions/{estate.place.subscription}/providers/{name}",
        "namespace": name,
        "authorizations": [],
        "resourceTypes": rows,
        "registrationState": estate.providers[name],
        "registrationPolicy": "RegistrationRequired",
    }


def _groups(estate: Estate, asked: Asked) -> Reply:
    return page(estate, asked, estate.store.of_type("Microsoft.Resources/resourceGroups"))


def _resources(estate: Estate, asked: Asked) -> Reply:
    """Everything in a group or a subscription, in a few words each."""
    scope, group = asked.id.rpartition("/")[0], arm(asked.id).group
    if group and scope not in estate.store:
        return group_not_found(group).reply()
    wanted = re.findall(r"resourcetype eq '([^']+)'", asked.query.get("$filter", "").casefold())
    some = [one for type in wanted for one in estate.store.of_type(type, scope)]
    found = some if wanted else estate.store.top_level(scope)
    return page(estate, asked, found, is_brief=True)


def _events(estate: Estate, asked: Asked) -> Reply:
    return estate.log.answer(asked, estate.now)


def _states(estate: Estate, asked: Asked) -> Reply:
    """Which resources do not comply with a policy."""
    scope = asked.key.rpartition("/providers/microsoft.policyinsights/")[0]
    context = f"{asked.origin}/subscriptions/{estate.place.subscription}/providers/"
    context += "Microsoft.PolicyInsights/policyStates/$metadata#latest"
    wanted = asked.query.get("$filter", "").casefold()
    effect = re.search(r"policydefinitionaction eq '(\w+)'", wanted)
    rows = []
    for given in estate.world.states:
        row = estate.place.filled(dict(given))
        if effect and str(row.get("policyDefinitionAction", "")).casefold() != effect[1]:
            continue
        if str(row.get("resourceId", "")).casefold().startswith(scope):
            both = {"@odata.id": None, "@odata.context": f"{context}/$entity"}
            dated = {"timestamp": stamp(estate.place.start), "complianceState": "NonCompliant"}
            rows.append({**both, **dated, "isCompliant": False, **row})
    return Reply(200, {"@odata.context": context, "@odata.count": len(rows), "value": rows})


def _definitions(estate: Estate, asked: Asked) -> Reply:
    found = definitions(asked.query.get("$filter", ""), estate.place.subscription)
    return Reply(200, {"value": found})


def _definition(estate: Estate, asked: Asked) -> Reply:
    name = asked.key.rpartition("/")[2]
    found = [one for one in definitions("", estate.place.subscription) if one["name"] == name]
    return Reply(200, found[0]) if found else not_found(asked.id).reply()


def _records(estate: Estate, asked: Asked) -> Reply:
    """Every record of a private zone, whatever its type."""
    zone = asked.id.rpartition("/")[0]
    if zone not in estate.store:
        return not_found(zone).reply()
    kinds = ("A", "AAAA", "CNAME", "MX", "PTR", "SRV", "TXT")
    found = (id for kind in kinds for id in estate.store.in_collection(f"{zone}/{kind}"))
    return page(estate, asked, found)


def _service_tags(estate: Estate, asked: Asked) -> Reply:  # noqa: ARG001
    """A few of the service tags of Azure, with a prefix or two of each."""
    values = [
        {
            "name": name,
            "id": name,
            "properties": {
                "changeNumber": "1",
                "region": name.partition(".")[2],
                "state": "GA",
                "systemService": name.partition(".")[0],
                "addressPrefixes": list(prefixes),
                "networkFeatures": ["API", "NSG", "UDR", "FW"],
            },
            "serviceTagChangeNumber": "1",
        }
        for name, prefixes in _TAGS.items()
    ]
    body = {"name": "Public", "id": asked.id, "type": "Microsoft.Network/serviceTags"}
    return Reply(200, {**body, "changeNumber": "1", "cloud": "Public", "values": values})


def _nothing(estate: Estate, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply(200, {"value": []})


def _operation(estate: Estate, asked: Asked) -> Reply:
    return estate.operations.answer(asked)


def _latest(estate: Estate, asked: Asked) -> Reply:
    return estate.operations.latest(asked.id.rpartition("/operations/")[0])


def _graph(estate: Estate, asked: Asked) -> Reply:
    body: Any = asked.body
    return query(estate, body if isinstance(body, dict) else {})


_TAGS: Final = {
    "AzureCloud": ("13.64.0.0/11", "20.33.0.0/16", "20.61.0.0/16", "40.64.0.0/10", "52.136.0.0/13"),
    "AzureCloud.westeurope": ("13.69.0.0/17", "20.61.0.0/16", "52.236.0.0/17"),
    "AzureActiveDirectory": ("20.190.128.0/18", "40.126.0.0/18"),
    "AzureMonitor": ("13.69.65.16/28", "20.50.65.80/28"),
    "MicrosoftContainerRegistry": ("20.61.97.128/25", "40.79.200.0/25"),
    "Storage.westeurope": ("13.95.96.176/28", "20.38.108.0/23"),
}
_ROLES: Final = r"(.*)/providers/microsoft\.authorization/roledefinitions"
_TABLES: Final[tuple[tuple[str, str, Table], ...]] = (
    ("GET", r"/tenants", _tenants),
    ("GET", r"/subscriptions", _subscriptions),
    ("GET", _SUBSCRIPTION, _subscription),
    ("GET", rf"{_SUBSCRIPTION}/locations", _locations),
    ("GET", rf"{_SUBSCRIPTION}/providers", _providers),
    ("GET", rf"{_SUBSCRIPTION}/providers/[^/]+", _one_provider),
    ("POST", rf"{_SUBSCRIPTION}/providers/[^/]+/(un)?register", _register),
    ("GET", rf"{_SUBSCRIPTION}/resourcegroups", _groups),
    ("GET", rf"({_SUBSCRIPTION}|{_GROUP})/resources", _resources),
    ("GET", r".*/providers/microsoft\.insights/eventtypes/management/values", _events),
    ("POST", r".*/policystates/latest/queryresults", _states),
    ("POST", r"/providers/microsoft\.resourcegraph/resources", _graph),
    ("POST", r".*/virtualmachines/[^/]+/retrievebootdiagnosticsdata", links),
    ("GET", _ROLES, _definitions),
    ("GET", rf"{_ROLES}/[^/]+", _definition),
    ("GET", r".*/managedclusters/[^/]+/operations/latest", _latest),
    ("GET", r".*/locations/[^/]+/operation(s|statuses|results)/[^/]+", _operation),
    ("GET", r".*/providers/microsoft\.(compute|network)/locations/[^/]+/usages", _nothing),
    ("GET", r".*/providers/microsoft\.compute/skus", _nothing),
    ("GET", r".*/microsoft\.network/privatednszones/[^/]+/all", _records),
    ("GET", r".*/microsoft\.network/locations/[^/]+/servicetags", _service_tags),
    ("GET", r".*/microsoft\.features/providers/[^/]+/features", _nothing),
    ("GET", r".*/microsoft\.insights/diagnosticsettings", _nothing),
    ("GET", r".*/microsoft\.resourcehealth/(availabilitystatuses|events)", _nothing),
    ("GET", r".*/microsoft\.alertsmanagement/alerts", _nothing),
    ("GET", r".*/microsoft\.insights/metrics", _nothing),
    ("GET", r".*/detectors", _nothing),
    ("GET", r".*/managedclusters/[^/]+/outboundnetworkdependenciesendpoints", outbound),
)
