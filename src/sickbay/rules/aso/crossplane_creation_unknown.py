from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Crossplane does not know whether its creation succeeded, and waits (external-create-pending)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)cannot determine creation result - remove the [\w./-]*external-create-pending annotation",
            says="a creation was interrupted",
            sample="cannot determine creation result - remove the crossplane.io/external-create-pending annotation if it is safe to proceed",
            near_miss="the creation succeeded: crossplane.io/external-create-succeeded",
        ),
    ),
    why="The provider notes external-create-pending before it asks Azure and the outcome after it. It was restarted or evicted between the two, or could not write the note, so a second creation could leave a resource that nobody knows. It stops until a person has looked.",
    remedy=(
        Step(
            "Look in Azure whether the resource exists.",
            run=("az", "resource", "list", "-g", "<group>", "-o", "table"),
            risk=Risk.READ,
        ),
        Step("If it exists, write its name into the annotation crossplane.io/external-name."),
        Step(
            "Then remove the annotation of the managed resource.",
            run=(
                "kubectl",
                "annotate",
                "<kind>",
                "<name>",
                "crossplane.io/external-create-pending-",
            ),
            risk=Risk.SAFE,
            verify="kubectl get managed wants SYNCED True",
        ),
    ),
    docs=("https://docs.crossplane.io/latest/managed-resources/managed-resources/",),
)
