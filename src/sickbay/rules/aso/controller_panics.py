from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ASO controller panics: a defect in this release (nil pointer), often in the conversion of an object",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?:Observed a panic|panic: runtime error|recovered from panic|\[recovered\]).{0,900}?(?:azure-service-operator/v2|azureserviceoperator|serviceoperator\.azure)|azure-service-operator/v2/\S{0,200}.{0,300}?(?:invalid memory address or nil pointer dereference|index out of range)",
            says="the controller panicked",
            sample='E0817 10:00:00.000000 1 panic.go:262] "Observed a panic" logger="controllers" panic="runtime error: invalid memory address or nil pointer dereference" stacktrace="goroutine 812 [running]: github.com/Azure/azure-service-operator/v2/api/containerservice/v1api20231001.(*ManagedCluster_Spec).AssignProperties"',
            near_miss='I0817 10:00:00.000000 1 main.go:62] "starting" logger="setup" module="github.com/Azure/azure-service-operator/v2"',
        ),
    ),
    why="An object holds a combination of values that this release of ASO does not expect, and its code dereferences what is not there. The controller recovers and tries again for ever, or the pod restarts; other objects of the kind may wait behind it. The stack names the type and the function.",
    remedy=(
        Step(
            "See the release, and which object is being worked on.",
            run=("kubectl", "get", "deployment", "-n", "azureserviceoperator-system", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade ASO to the newest release (one minor version at a time); until then set the annotation reconcile-policy skip on the object, or remove the field that the stack names. Report the stack in the GitHub repository.",
            verify="kubectl logs -n azureserviceoperator-system deploy/azureserviceoperator-controller-manager --since 10m has no panic",
        ),
    ),
    docs=("https://github.com/Azure/azure-service-operator/releases",),
    leads_to=("aso.webhook_down", "kubernetes.crash_loop", "aso.not_ready"),
    ask="kubectl logs -n azureserviceoperator-system -l control-plane=controller-manager -c manager --tail 200",
)
