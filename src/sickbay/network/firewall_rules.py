"""The rules of an Azure Firewall in the order in which it asks them."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref, arm
from sickbay.model.routing import (
    AzureFirewall,
    FirewallPolicy,
    FirewallRule,
    RuleCollection,
    RuleCollectionGroup,
)
from sickbay.model.snapshot import Snapshot

# A policy has a parent, and that mostly none; more would be a ring.
_MOST_PARENTS: Final = 8
_LAST: Final = 65_536


class Stage(IntEnum):
    """Rules of one kind are asked before those of the next, whatever their priorities."""

    NAT = 0
    NETWORK = 1
    APPLICATION = 2


_STAGES: Final = {
    "natrule": Stage.NAT,
    "networkrule": Stage.NETWORK,
    "applicationrule": Stage.APPLICATION,
}


class Ruled(NamedTuple):
    """A rule, what it does to what it matches, and how a user finds it."""

    stage: Stage
    rank: tuple[int, int, str, int, str, int]
    rule: FirewallRule
    allows: bool
    kin: str
    name: str
    priorities: str
    ref: Ref


class Book(NamedTuple):
    """All rules of a firewall in order, and what of them was not read."""

    rules: tuple[Ruled, ...]
    gaps: tuple[Gap, ...] = ()
    has_dns_proxy: bool = False


def book_of(snapshot: Snapshot, firewall: AzureFirewall) -> Book:
    policy = (firewall.firewall_policy and firewall.firewall_policy.id) or ""
    if not policy:
        settings = firewall.additional_properties or {}
        proxy = str(settings.get("network.dns.enableproxy")).casefold() == "true"
        return Book(_sorted(_classic(firewall)), has_dns_proxy=proxy)
    chain, gaps = _chain(snapshot, policy)
    rules: list[Ruled] = []
    for depth, one in enumerate(chain):
        groups = snapshot.grouped(RuleCollectionGroup, "parent_key", one.key)
        rules += [ruled for group in groups for ruled in _of_group(group, one, depth)]
        gaps += _unread_groups(snapshot, one, groups)
    own = snapshot.find(chain[-1])
    dns = own.dns_settings if isinstance(own, FirewallPolicy) else None
    return Book(_sorted(rules), tuple(gaps), bool(dns and dns.enable_proxy))


def _sorted(rules: "list[Ruled] | Iterator[Ruled]") -> tuple[Ruled, ...]:
    return tuple(sorted(rules, key=lambda one: (one.stage, one.rank)))


def _chain(snapshot: Snapshot, policy: str) -> tuple[list[Ref], list[Gap]]:
    """A policy and what it inherits from, the eldest first."""
    chain: list[Ref] = []
    gaps: list[Gap] = []
    while policy and arm(policy) not in chain and len(chain) < _MOST_PARENTS:
        chain.insert(0, arm(policy))
        found = snapshot.find(arm(policy))
        if isinstance(found, FirewallPolicy):
            policy = (found.base_policy and found.base_policy.id) or ""
            continue
        if len(chain) > 1:
            look = f"az network firewall policy show --ids {policy} -o json"
            gaps.append(Gap(FirewallPolicy.kind, f"the parent policy {policy}", to_open=look))
        break
    return chain, gaps


def _unread_groups(
    snapshot: Snapshot, policy: Ref, groups: tuple[RuleCollectionGroup, ...]
) -> list[Gap]:
    if snapshot.has_seen(RuleCollectionGroup.kind, policy.id):
        return []
    found = snapshot.find(policy)
    named = found.rule_collection_groups if isinstance(found, FirewallPolicy) else None
    known = {group.ref for group in groups}
    if named is not None and all(arm(one.id or "") in known for one in named):
        return []
    look = (
        "az network firewall policy rule-collection-group list "
        f"-g {policy.group} --policy-name {policy.name} -o json"
    )
    what = f"the rule collection groups of {policy.id}"
    return [Gap(RuleCollectionGroup.kind, what, to_open=look)]


def _of_group(group: RuleCollectionGroup, policy: Ref, depth: int) -> Iterator[Ruled]:
    name = f"{policy.name}/{group.name or group.ref.name}"
    priority = _priority(group.priority)
    for collection in group.rule_collections or ():
        rank = (depth, priority, name)
        is_nat = "nat" in (collection.rule_collection_type or "").casefold()
        default = Stage.NAT if is_nat else None
        for ruled in _of_collection(collection, default, rank, ("FirewallPolicy", name)):
            yield ruled._replace(
                ref=group.ref, priorities=f"group priority {priority}, {ruled.priorities}"
            )


def _classic(firewall: AzureFirewall) -> Iterator[Ruled]:
    name = firewall.name or firewall.ref.name
    stages = (
        (Stage.NAT, firewall.nat_rule_collections),
        (Stage.NETWORK, firewall.network_rule_collections),
        (Stage.APPLICATION, firewall.application_rule_collections),
    )
    for stage, collections in stages:
        for collection in collections or ():
            for ruled in _of_collection(collection, stage, (0, 0, ""), ("AzureFirewall", name)):
                yield ruled._replace(ref=firewall.ref)


def _of_collection(
    collection: RuleCollection,
    stage: Stage | None,
    rank: tuple[int, int, str],
    place: tuple[str, str],
) -> Iterator[Ruled]:
    action = ((collection.action and collection.action.type) or "").casefold()
    priority = _priority(collection.priority)
    kin, above = place
    title = collection.name or ""
    for index, rule in enumerate(collection.rules or ()):
        name = "/".join(part for part in (above, title, rule.name or str(index + 1)) if part)
        yield Ruled(
            stage if stage is not None else _stage(rule),
            (*rank, priority, title, index),
            rule,
            action != "deny",
            kin,
            name,
            f"priority {priority}",
            Ref("", ""),
        )


def _stage(rule: FirewallRule) -> Stage:
    told = _STAGES.get((rule.rule_type or "").casefold())
    if told is not None:
        return told
    is_named = rule.target_fqdns or rule.fqdn_tags or rule.target_urls or rule.web_categories
    return Stage.APPLICATION if is_named else Stage.NETWORK


def _priority(value: int | None) -> int:
    return _LAST if value is None else value
