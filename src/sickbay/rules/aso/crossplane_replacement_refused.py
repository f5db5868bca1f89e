from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Crossplane would have to replace the Azure resource for this change (immutable field), and refuses",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)(?:refuse to update the external resource because )?the following update requires replacing it(?:: cannot change the value of the argument \"(?P<argument>[^\"]{1,120})\" from \"(?P<old>[^\"]{0,200})\" to \"(?P<new>[^\"]{0,200}))?",
            says="the change needs a new resource[: {argument} from {old} to {new}]",
            sample='async update failed: refuse to update the external resource because the following update requires replacing it: cannot change the value of the argument "location" from "westeurope" to "northeurope"',
            near_miss="the external resource was updated in place",
        ),
    ),
    why="The field cannot be changed after creation. Terraform would delete and make the resource anew; a Crossplane provider never does. The change is in the manifest, or in Azure: a default that the provider does not know, another spelling of a region or id, or a change by hand makes the two differ.",
    remedy=(
        Step(
            "Set the field back to the value that Azure has (spec.forProvider), or move it to initProvider if it counts only at creation.",
            verify="kubectl get managed wants SYNCED True",
        ),
        Step(
            "If the change is wanted, make a new resource under another name, move to it, and delete the old one.",
            risk=Risk.DESTRUCTIVE,
        ),
    ),
    docs=("https://docs.crossplane.io/latest/managed-resources/managed-resources/",),
)
