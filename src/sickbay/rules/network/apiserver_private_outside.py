from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.network.apiserver import Client, callers_of, decide
from sickbay.network.traffic import Verdict
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


@each(ManagedCluster, TYPICAL)
def is_asked_from_outside(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear:
    if not cluster.is_private or cluster.is_stopped:
        return Clear(f"{cluster.name} is no private cluster")
    people = [one for one in callers_of(snapshot) if "@" in one.who]
    address = people[0].address if people else ""
    decision = decide(snapshot, cluster, Client(address=address))
    if decision.verdict is Verdict.UNKNOWN and decision.gaps:
        raise UnseenError(decision.gaps[0])
    return Match(
        f"{cluster.name} {decision.by[0].says}; {people[0].who} called Azure from there",
        facts={"hosts": " ".join(filter(None, (cluster.fqdn, cluster.private_fqdn)))},
        cites=(cluster.cite("properties.apiServerAccessProfile.enablePrivateCluster", value=True),),
        # People call Azure itself from anywhere: only who also fails to connect has a fault.
        felt_as=("aks.api_server_unreachable",),
    )


RULE = Rule(
    title="A private cluster is reached from outside its network: its API server has a private address only",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        is_asked_from_outside,
        Signature(
            pattern=r"Unable to connect to the server: dial tcp (?P<address>10\.\d+\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|192\.168\.\d+\.\d+):443: (?:i/o timeout|connectex: A connection attempt failed|connect: (?:no route to host|network is unreachable|connection timed out|operation timed out))",
            says="the API server is at the private address {address}, which the client does not reach",
            sample="Unable to connect to the server: dial tcp 10.224.0.4:443: i/o timeout",
            near_miss="Unable to connect to the server: dial tcp 20.50.2.7:443: i/o timeout",
            weight=TYPICAL,
            # The first address of the service range: a pod that asks through the service.
            unless=r"dial tcp \d+\.\d+\.\d+\.1:443",
            passes=True,
        ),
    ),
    why="The API server of a private cluster has an address in the cluster's virtual network and none on the internet. The name resolves, by its public FQDN or a linked zone, but a client that stands neither in that network nor in one that is peered with it or joined by VPN or ExpressRoute gets no answer.",
    remedy=(
        Step(
            "Go through Azure, which needs no way into the network.",
            run=(
                "az",
                "aks",
                "command",
                "invoke",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--command",
                "kubectl get nodes",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Or call from a machine in the network of the cluster, in a peered network, through VPN, ExpressRoute or Azure Bastion.",
            verify="kubectl get nodes wants an answer",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/private-clusters#options-for-connecting-to-the-private-cluster",
    ),
    leads_to=("aks.api_server_unreachable",),
    ask="az aks show -g {resource_group} -n {cluster} --query [apiServerAccessProfile.enablePrivateCluster,privateFqdn]",
)
