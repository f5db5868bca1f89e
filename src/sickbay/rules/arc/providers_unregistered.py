from sickbay.model.arc import BRIDGE_PROVIDERS, Appliance
from sickbay.model.azure import Provider
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Clear, Match, Risk, Rule, Severity, Step, each

_WELL = {"registered", "registering"}


@each(Appliance)
def came_up_failed(appliance: Appliance, snapshot: Snapshot) -> Match | Clear | None:
    if not appliance.is_unwell:
        return Clear(f"{appliance.name} is {appliance.status or appliance.provisioning_state}")
    states = _registrations(snapshot)
    missing = [name for name, state in states.items() if state.casefold() not in _WELL]
    cites = (appliance.cite("properties.status", appliance.status),)
    if missing:
        return Match(
            f"{missing[0]} is not registered, and {appliance.name} is offline", cites=cites
        )
    if len(states) == len(BRIDGE_PROVIDERS):
        return Clear(f"{' and '.join(sorted(states))} are registered")
    if not appliance.has_failed_to_start:
        snapshot.require(Provider)
        return None
    says = f"{appliance.name} is both Offline and Failed, as after a deployment without providers"
    return Match(says, cites=cites, weight=TYPICAL)


def _registrations(snapshot: Snapshot) -> dict[str, str]:
    """What is known of the registration of the providers that a bridge needs."""
    if not snapshot.holds(Provider.kind):
        return {}
    wanted = {name.casefold(): name for name in BRIDGE_PROVIDERS}
    return {
        wanted[(provider.namespace or "").casefold()]: provider.registration_state or ""
        for provider in snapshot.some(Provider)
        if (provider.namespace or "").casefold() in wanted
    }


RULE = Rule(
    title="The resource bridge was deployed before its resource providers were registered (Offline, Failed)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(came_up_failed,),
    why="When Microsoft.ResourceConnector or Microsoft.ExtendedLocation is not registered in the subscription, the deployment reports no error, but the bridge shows as Offline with provisioningState Failed (ARB offline-provider-not-registered). It has to be deleted and deployed again after registration.",
    remedy=(
        Step(
            "See whether the providers are registered.",
            run=(
                "az",
                "provider",
                "list",
                "--query",
                "[?namespace=='Microsoft.ResourceConnector' || namespace=='Microsoft.ExtendedLocation'].[namespace,registrationState]",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the bridge.",
            run=(
                "az",
                "arcappliance",
                "delete",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Register the providers.",
            run=(
                "az",
                "provider",
                "register",
                "--namespace",
                "Microsoft.ExtendedLocation",
                "--wait",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Register the connector as well.",
            run=(
                "az",
                "provider",
                "register",
                "--namespace",
                "Microsoft.ResourceConnector",
                "--wait",
            ),
            risk=Risk.SAFE,
            verify="az provider show -n Microsoft.ResourceConnector --query registrationState wants Registered",
        ),
        Step(
            "Deploy the bridge again.",
            run=("az", "arcappliance", "run", "<fabric>"),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=("arc.appliance_offline",),
    ask="az provider show -n Microsoft.ResourceConnector --query registrationState",
)
