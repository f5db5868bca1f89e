from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A KAITO workspace is refused: its values do not fit the model (VM size, preset)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'(?i)admission webhook "[\w.-]*kaito[\w.-]*" denied the request:? ?(?P<reason>.{0,200})|workspace.{0,120}?(?:Insufficient (?:total )?GPU (?:memory|count)|unsupported instance ?type|preset .{0,60}?not (?:found|supported))',
            says="the workspace was refused",
            sample='Error from server (BadRequest): admission webhook "validation.workspace.kaito.sh" denied the request: validation failed: Insufficient total GPU memory: Instance type Standard_NC6s_v3 has a total of 16Gi, but preset falcon-40b requires at least 90Gi: instanceType',
            near_miss="workspace.kaito.sh/workspace-falcon-7b created",
        ),
    ),
    why="The operator checks a workspace before it makes nodes: the preset must exist, the VM size must have enough GPU memory for the model, and resource and inference must agree.",
    remedy=(
        Step(
            "Choose a VM size with enough GPU memory, or a smaller preset, and apply the workspace again.",
            run=(
                "kubectl",
                "apply",
                "-f",
                "workspace.yaml",
            ),
            verify="kubectl get workspace wants RESOURCEREADY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-ai-toolchain-operator-addon-issues",
    ),
    leads_to=(
        "kubernetes.admission_denied",
        "kubernetes.webhook_denied",
    ),
    ask="kubectl get workspace -A -o json",
)
