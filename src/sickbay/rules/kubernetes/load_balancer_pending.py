from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Service, SYMPTOM)
def has_no_address(service: Service, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    balancer = service.status.load_balancer
    if service.spec.type != "LoadBalancer" or (balancer and balancer.ingress):
        return None
    return Match(
        f"{service.namespace}/{service.name} is of type LoadBalancer and has no address yet",
        facts={"service": service.name},
        cites=(service.cite("status.loadBalancer", "no ingress"),),
    )


RULE = Rule(
    title="A service of type LoadBalancer stays without an external address (pending)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        has_no_address,
        Signature(
            pattern=r"\b(?P<service>[a-z][\w.-]*) LoadBalancer [\da-f.:]+ <pending> ",
            says="{service} waits for an external address",
            sample="NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE\ncart   LoadBalancer   10.0.12.7   <pending>   80:31234/TCP   25m",
            near_miss="NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE\ncart   LoadBalancer   10.0.12.7   20.1.2.3   80:31234/TCP   25m",
            # Seconds old: Azure needs a minute or two for every one.
            unless=r"<pending> \S{1,300} \d{1,2}s\b",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"Service was not allocated an IP address|\bAddressNotAssigned\b|No addresses have been assigned to the Gateway",
            says="a gateway waits for an address",
            sample='message: No addresses have been assigned to the Gateway reason: AddressNotAssigned status: "False" type: Programmed',
            near_miss='message: Address assigned to the Gateway, 1/1 envoy replicas available reason: Programmed status: "True" type: Programmed',
            weight=SYMPTOM,
        ),
    ),
    why="The cloud controller has not (yet) made the load balancer: a minute after creation that is normal, later an Azure error in the events of the service tells why.",
    remedy=(
        Step(
            "Read the events of the service.",
            run=("kubectl", "describe", "service", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Mend what they name.", verify="kubectl get service -n {namespace} shows an EXTERNAL-IP"
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/load-balancer-standard",),
)
