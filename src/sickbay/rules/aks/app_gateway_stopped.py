from sickbay.model.snapshot import Snapshot
from sickbay.model.vaults import ApplicationGateway
from sickbay.model.workloads import Ingress
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_CLASSES = ("azure-application-gateway", "azure/application-gateway")


@each(ApplicationGateway)
def is_stopped(gateway: ApplicationGateway, snapshot: Snapshot) -> Match | Clear | None:
    if not gateway.is_stopped:
        return Clear(
            f"application gateway {gateway.name} is {gateway.operational_state or 'not stopped'}"
        )
    served = [ingress for ingress in snapshot.some(Ingress) if _is_served(ingress)]
    if not served:
        return Clear(f"no ingress is served by application gateway {gateway.name}")
    return Match(
        f"application gateway {gateway.name} is stopped, and {len(served)} ingresses such as {served[0].namespace}/{served[0].name} rely on it",
        facts={"gateway": gateway.name},
        cites=(gateway.cite("properties.operationalState", gateway.operational_state),),
    )


def _is_served(ingress: Ingress) -> bool:
    asked = ingress.spec.ingress_class_name or ingress.annotations.get(
        "kubernetes.io/ingress.class"
    )
    return asked in _CLASSES


RULE = Rule(
    title="The Application Gateway behind the ingress controller (AGIC) is stopped",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        is_stopped,
        Signature(
            pattern=r"(?i)(?:ResetIngressStatus\b.{0,200}?)?Application Gateway (?:/\S{1,400}/)?(?P<gateway>[\w.-]+)? ?(?:\([^)]{0,80}\) )?is in (?:a )?stopped state|ResetIngressStatus\b.{0,200}?stopped",
            says="the Application Gateway is stopped",
            sample="Warning  ResetIngressStatus  3s  azure/application-gateway  Reset IP for Ingress shop/web. Application Gateway myApplicationGateway is in stopped state",
            near_miss="Normal  SetIngressStatus  3s  azure/application-gateway  IP for Ingress shop/web is set",
        ),
    ),
    why="AGIC configures an Application Gateway; while that is stopped (operationalState Stopped) it carries no traffic, and the controller takes the address away from every Ingress.",
    remedy=(
        Step(
            "See its state.",
            run=(
                "az",
                "network",
                "application-gateway",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{gateway}",
                "--query",
                "operationalState",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start it; AGIC then applies the configuration by itself.",
            run=(
                "az",
                "network",
                "application-gateway",
                "start",
                "-g",
                "{resource_group}",
                "-n",
                "{gateway}",
            ),
            verify="kubectl get ingress -A shows an ADDRESS",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/load-bal-ingress-c/troubleshoot-app-gateway-ingress-controller-connectivity-issues",
    ),
    leads_to=("network.connection_times_out",),
    ask="az network application-gateway list -o json",
)
