from sickbay.model.arc import ApplianceInfra
from sickbay.model.host import ManagementMachine
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_NARROW = 32
_IMPORTS_OVA = ("vsphere", "vmware", "scvmm")


@each(ManagementMachine)
def runs_narrow(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:
    cli = machine.known(machine.command_line, "the Azure CLI")
    if machine.known(cli.bits, "the width of the Azure CLI") != _NARROW:
        return Clear(f"the Azure CLI {cli.version} is a {cli.bits}-bit program")
    providers = [infra.provider for infra in snapshot.some(ApplianceInfra)]
    if not any(provider in _IMPORTS_OVA for provider in providers):
        return Clear("only VMware and VMM import an OVA from here")
    return Match(
        f"the Azure CLI {cli.version} of this machine is a 32-bit program",
        cites=(machine.cite("commandLine.bits", cli.bits),),
    )


RULE = Rule(
    title="The Azure CLI is a 32-bit program, and the OVA of the appliance needs 64-bit",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        runs_narrow,
        Signature(
            pattern=r"(?i)failed to parse ovf: strconv\.ParseInt: parsing \"?\d+\"?: ?value out of range|Unable to import ova of size .{1,12}? using govc",
            says="the OVA cannot be read by a 32-bit process",
            sample='Error: Error in reading OVA file: failed to parse ovf: strconv.ParseInt: parsing "3670409216": value out of range.',
            near_miss="Error in reading OVA file: file not found",
        ),
    ),
    why="The vSphere SDK parses disk sizes beyond 2 GiB only in a 64-bit process. In the 32-bit Azure CLI, which installs by default on Windows, prepare fails with `strconv.ParseInt … value out of range` or `Unable to import ova of size 6GB using govc`.",
    remedy=(
        Step(
            "See the width of the CLI's Python: [MSC … 32 bit] or 64 bit.",
            run=(
                "az",
                "--version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install the 64-bit Azure CLI and open a new shell.",
            verify="az --version wants 64 bit",
        ),
        Step(
            "Repeat the preparation.",
            run=(
                "az",
                "arcappliance",
                "prepare",
                "vmware",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/cli/azure/install-azure-cli-windows",
    ),
)
