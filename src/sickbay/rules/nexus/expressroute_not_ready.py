from sickbay.model.fabric import ExpressRouteCircuit, NetworkFabricController
from sickbay.model.ids import arm
from sickbay.model.nexus import same_word
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


@each(NetworkFabricController)
def circuit_is_not_ready(
    controller: NetworkFabricController, snapshot: Snapshot
) -> Match | Clear | None:
    ids = controller.circuit_ids
    for id in ids:
        circuit = snapshot.get(arm(id), ExpressRouteCircuit)
        if circuit is None:
            return _match(controller, id, "does not exist")
        own = circuit.circuit_provisioning_state or "Enabled"
        provider = circuit.service_provider_provisioning_state or "Provisioned"
        if not same_word(own, "Enabled") or not same_word(provider, "Provisioned"):
            return _match(controller, id, f"is {own} at Azure and {provider} at the provider")
    return Clear(f"the circuits of {controller.name} are provisioned") if ids else None


def _match(controller: NetworkFabricController, id: str, state: str) -> Match:
    circuit = arm(id)
    return Match(
        f"the circuit {circuit.name} of fabric controller {controller.name} {state}",
        facts={"circuit": circuit.name, "circuit_group": circuit.group},
        cites=(controller.cite("properties.infrastructureExpressRouteConnections", id),),
    )


RULE = Rule(
    title="An ExpressRoute circuit of the network fabric controller is not provisioned",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        circuit_is_not_ready,
        Signature(
            pattern=r"(?i)\b(?:network ?fabric ?controller|\bNFC\b|managednetworkfabric)\b.{0,240}?express ?route.{0,160}?(?:not (?:in )?(?:provisioned|enabled|found|valid)|NotProvisioned|invalid|authori[sz]ation key|fail)|express ?route.{0,160}?(?:not (?:in )?(?:provisioned|enabled|valid)|NotProvisioned|authori[sz]ation key .{0,40}?(?:invalid|used)).{0,200}?(?:network ?fabric ?controller|managednetworkfabric)",
            says="an ExpressRoute circuit of the controller is not usable",
            sample="Network fabric controller nfc1 failed: the ExpressRoute circuit er1 is not provisioned by the provider",
            near_miss="Network fabric controller nfc1 uses the ExpressRoute circuit er1",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bNot ?Provisioned\b.{0,160}?(?:network ?fabric ?controllers?|infrastructureExpressRoute\w*|workloadExpressRoute\w*)|(?:network ?fabric ?controllers?|infrastructureExpressRoute\w*|workloadExpressRoute\w*|infra ?services? connection)\b.{0,200}?\bNot ?Provisioned\b",
            says="a circuit is not provisioned by its provider",
            sample="infraServices connection failed: ServiceProviderProvisioningState of er-2 is NotProvisioned (networkFabricControllers/nfc1)",
            near_miss="infraServices connection done: ServiceProviderProvisioningState of er-2 is Provisioned (networkFabricControllers/nfc1)",
            weight=TYPICAL,
        ),
    ),
    why="The fabric controller reaches the site over the ExpressRoute circuits given on its creation. A circuit must be Enabled at Azure and Provisioned by the provider; otherwise the controller fails to be created, or the site loses its connection.",
    remedy=(
        Step(
            "See both states of the circuit.",
            run=(
                "az",
                "network",
                "express-route",
                "show",
                "-g",
                "{circuit_group}",
                "-n",
                "{circuit}",
                "--query",
                "{azure:circuitProvisioningState,provider:serviceProviderProvisioningState}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the service key of the circuit to the provider and have it provisioned.",
            verify="the same command wants Enabled and Provisioned",
        ),
        Step("Then create the fabric controller again if its creation had failed."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-fabric-controller",
    ),
    leads_to=("nexus.controller_failed", "nexus.cluster_disconnected"),
)
