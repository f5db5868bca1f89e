from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Crossplane resource refers to another one that does not exist, matches no selector, or is not ready",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)cannot resolve references: .{0,200}?(?:no resources matched selector|referenced field was empty|cannot get referenced resource|not found)|CannotResolveResourceReferences\b|mg\.Spec\.(?:ForProvider|InitProvider)\.(?P<field>[\w.\[\]]{2,100}): (?:no resources matched selector|referenced field was empty|cannot get referenced resource)",
            says="a reference does not resolve[: {field}]",
            sample="cannot resolve references: mg.Spec.ForProvider.SubnetID: no resources matched selector",
            near_miss="references of the managed resource were resolved",
            weight=TYPICAL,
        ),
    ),
    why="Crossplane fills fields such as resourceGroupName from another managed resource, by a reference (…Ref) or by labels (…Selector), before it asks Azure for anything. It goes on trying while there is none with these labels (what Terraform or the portal made does not count), matchControllerRef looks only in the same composite, the other is of another API group or namespace, or it has no id yet because it is not ready itself.",
    remedy=(
        Step(
            "See the managed resources, their labels and whether they are ready.",
            run=("kubectl", "get", "managed", "--show-labels"),
            risk=Risk.READ,
        ),
        Step(
            "Correct the name or the labels; mend the referenced resource first if that is what is not ready; or give the value itself instead of a reference.",
            verify="kubectl get managed wants SYNCED True",
        ),
    ),
    docs=("https://docs.crossplane.io/latest/managed-resources/managed-resources/",),
    ask="kubectl get managed --show-labels",
)
