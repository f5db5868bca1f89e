from sickbay.model.hybrid import LogicalNetwork
from sickbay.model.hybrid_parts import AddressPool
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


def _free(pool: AddressPool) -> int | None:
    left = pool.info.available if pool.info else None
    return int(left) if left is not None and str(left).isdecimal() else None


@each(LogicalNetwork)
def has_no_address_left(network: LogicalNetwork, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    pools = [pool for subnet in network.subnets or () for pool in subnet.ip_pools or ()]
    free = [left for pool in pools if (left := _free(pool)) is not None]
    if not free or len(free) < len(pools):
        return None
    if sum(free):
        return Clear(f"{network.name} has {sum(free)} free addresses")
    spans = ", ".join(f"{pool.start} to {pool.end}" for pool in pools)
    return Match(
        f"the pools of {network.name} have no free address ({spans})",
        facts={"network": network.name, "pools": spans},
        cites=(network.cite("properties.subnets[].properties.ipPools[].info.available", "0"),),
    )


RULE = Rule(
    title="The logical network of AKS on Azure Local has no free addresses",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.SCALING, Category.UPGRADE),
    detect=(
        has_no_address_left,
        Signature(
            pattern=r"(?i)\bIPAddressExhausted\b|(?:logical ?network|\blnet\b|ip ?pool|vnet|moc|rpc error: code = \w+ desc|network interface)\b.{0,160}?(?:no free (?:ip|address)|not enough (?:free |available )?(?:ip|address)|(?:does not|doesn't) have enough (?:free |available )?(?:ip|address)|(?:ip )?address(?:es)? (?:pool )?(?:is |are )?exhausted|insufficient (?:ip|address)|no (?:more )?(?:ip )?addresses (?:are )?(?:available|left)|The pool is full)(?P<network>)|no (?:free |more )?ip addresses (?:are )?(?:available|left) in (?:the )?(?:ip ?pool|logical ?network)",
            says="no address is left in the pool",
            sample="Nodepool creation failed: logical network lnet-aks has not enough IP addresses: address pool exhausted.",
            near_miss="Nodepool creation done: logical network lnet-aks has 20 IP addresses left.",
            weight=TYPICAL,
            unless=r"(?i)SubnetIsFull|virtualNetworks/|azure-vnet-ipam|InsufficientSubnetSize|azure cns|\bcni\b|sandbox|range set",
        ),
        Signature(
            pattern=r"(?i)count at \d+, still waiting for desired state: \d+(?P<network>)",
            says="too few machines came up",
            sample="control plane count at 2, still waiting for desired state: 3",
            near_miss="control plane count at 3",
            weight=TYPICAL,
        ),
    ),
    why="Every node, every control plane node and one more machine for each cluster during an upgrade takes an address from the pools of its logical network. With fewer free addresses than that, machines are not created and the operation fails.",
    remedy=(
        Step(
            "See the pools and what is used.",
            run=("az", "stack-hci-vm", "network", "lnet", "list", "-o", "json"),
            risk=Risk.READ,
        ),
        Step(
            "Add an address pool to the network[ {network}], or use a larger logical network; the addresses of control plane endpoints and load balancers must lie outside of the pools.",
            risk=Risk.SAFE,
            verify="the list wants info.available of at least nodes + control plane nodes + 1",
        ),
        Step("Repeat the operation."),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/aks-hci-ip-address-planning",),
    leads_to=("hybrid.cluster_failed",),
)
