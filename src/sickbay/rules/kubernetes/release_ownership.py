from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An object of the chart exists already and does not belong to this Helm release (invalid ownership metadata)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'(?i)rendered manifests contain a resource that already exists|(?:Unable to continue with (?:install|update): )?(?P<kind>\w+) "(?P<object>[\w.:-]+)" in namespace "[^"]*" exists and cannot be imported into the current release|cannot be imported into the current release|existing resource conflict: namespace',
            says="an object of the chart exists and belongs to somebody else",
            sample='Error: INSTALLATION FAILED: Unable to continue with install: ServiceAccount "web" in namespace "shop" exists and cannot be imported into the current release: invalid ownership metadata; label validation error: missing key "app.kubernetes.io/managed-by": must be set to "Helm"',
            near_miss="Error: INSTALLATION FAILED: cannot re-use a name that is still in use",
            unless=r"(?i)resource name may not be empty|k8s-extension|connectedk8s|azure-arc|extensionmanager|InnerError|Resource already existing in your cluster|azconfig",
        ),
    ),
    why="Helm touches only objects that carry its label and the annotations with the name and namespace of the release. The object was made by hand, by another tool, by another release or in another namespace, and so the installation stops before anything is changed.",
    remedy=(
        Step(
            "See which releases there are.",
            run=(
                "helm",
                "list",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Either delete the object, or remove the other release that brought it.",
            run=(
                "helm",
                "uninstall",
                "<release>",
                "-n",
                "<namespace>",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Or let the release adopt it: set the label app.kubernetes.io/managed-by=Helm and the annotations meta.helm.sh/release-name and meta.helm.sh/release-namespace on it.",
            risk=Risk.SAFE,
            verify="helm upgrade --install ends without this message",
        ),
    ),
    docs=("https://helm.sh/docs/faq/troubleshooting/",),
    leads_to=("kubernetes.release_gave_up",),
    ask="helm list -A",
)
