from sickbay.model.fabric import NetworkFabricController
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(NetworkFabricController)
def controller_is_failed(
    controller: NetworkFabricController,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | Clear | None:
    if not controller.is_unwell:
        return (
            Clear(f"{controller.name} is {controller.provisioning_state}")
            if controller.is_succeeded
            else None
        )
    return Match(
        f"fabric controller {controller.name} is {controller.provisioning_state}",
        facts={"controller": controller.name},
        cites=(controller.cite("properties.provisioningState", controller.provisioning_state),),
    )


RULE = Rule(
    title="The network fabric controller is Failed, which cannot be repaired in place",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(controller_is_failed,),
    why="The controller is built around the ExpressRoute circuits given on its creation. When that fails, often because of a circuit that is not provisioned or a wrong authorization key, Azure offers no way but to delete it and create it again; the fabrics that use it go first.",
    remedy=(
        Step(
            "Read why the creation failed.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-id",
                "{subject}",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See that the circuits are Enabled and Provisioned.",
            run=(
                "az",
                "network",
                "express-route",
                "list",
                "--query",
                "[].{name:name,circuit:circuitProvisioningState,provider:serviceProviderProvisioningState}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the controller and create it again.",
            run=(
                "az",
                "networkfabric",
                "controller",
                "delete",
                "-g",
                "{resource_group}",
                "--resource-name",
                "{controller}",
            ),
            risk=Risk.DESTRUCTIVE,
            verify="az networkfabric controller show -g {resource_group} --resource-name {controller} wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-fabric-controller",
    ),
    leads_to=(
        "nexus.cluster_disconnected",
        "nexus.fabric_failed",
        "nexus.fabric_upgrade_blocked",
        "nexus.cluster_manager_failed",
    ),
)
