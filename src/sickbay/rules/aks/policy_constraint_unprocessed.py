from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An Azure Policy is not evaluated in the cluster (ConstraintNotProcessed)",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"ConstraintNotProcessed|ConstraintTemplateInstallFailed|ConstraintTemplateConflict|ConstraintInstallFailed|Constraint kind \w{1,80} is not recognized|\btemplate_ingest_error\b|Constraint kind \w{2,120} is not recognized|(?i:constraint ?template .{0,120}?(?:invalid|failed to (?:parse|compile)|rego_parse_error))",
            says="a constraint of a policy was not processed",
            sample="Compliance reason: ConstraintNotProcessed. The constraint could not be processed by the policy add-on.",
            near_miss="Compliance state: Compliant",
            weight=TYPICAL,
        ),
    ),
    why="The policy add-on turns assignments into Gatekeeper constraints. The Kubernetes version is too old for this one, the custom definition has an error in its constraint template, or another template has the same name.",
    remedy=(
        Step(
            "See the templates and their errors.",
            run=(
                "kubectl",
                "get",
                "constrainttemplates",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade the cluster to a supported version, or correct the definition (the policy extension of VS Code makes it from a template).",
            run=(
                "az",
                "aks",
                "upgrade",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--kubernetes-version",
                "<version>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the policy shows Compliant or NonCompliant",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/error-azure-policy-constraintnotprocessed",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/custom-policy-for-validating-controller-not-working",
    ),
    ask="kubectl get constrainttemplates -o json",
)
