from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The version of vCenter is not supported by this release of the resource bridge",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bvCenter (?:server )?version (?P<version>[\d.]+) is not supported",
            says="vCenter {version} is not supported",
            sample="Error: Vcenter version 7.0.3 is not supported",
            near_miss="vCenter version 7.0.3 is supported",
        ),
    ),
    why="Each release of the arcappliance extension knows the versions of vCenter that it was tested with, and refuses others: the extension is older than this vCenter, or vCenter is older than the support matrix allows.",
    remedy=(
        Step(
            "Update the extension.",
            run=(
                "az",
                "extension",
                "update",
                "--name",
                "arcappliance",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "If it still refuses {version}, bring vCenter to a version of the support matrix.",
            verify="az arcappliance createconfig vmware goes on",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/vmware-vsphere/support-matrix-for-arc-enabled-vmware-vsphere",
    ),
)
