from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The image is so large, or the way so slow, that its pull does not end in time (context canceled)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)(?:pull|PullImage).{0,500}?(?:code = Canceled|context canceled)|image.?pull.?progress.?timeout|cancel pulling image .{0,100}?no progress",
            says="the pull of an image was given up for lack of progress",
            sample='Failed to pull image "contoso.azurecr.io/llm:1": rpc error: code = Canceled desc = failed to pull and unpack image "contoso.azurecr.io/llm:1": failed to copy: context canceled',
            near_miss='Successfully pulled image "contoso.azurecr.io/llm:1" in 42.1s',
            weight=TYPICAL,
        ),
    ),
    why="Images of tens of gigabytes (models, Windows) need long on small or throttled OS disks; containerd gives up when no bytes arrive for a while, and starts again.",
    remedy=(
        Step(
            "See how long pulls take.",
            run=(
                "kubectl",
                "get",
                "events",
                "-n",
                "{namespace}",
                "--field-selector",
                "reason=Pulled",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use ephemeral OS disks or larger disks, a registry in the same region (premium, with a private endpoint), artifact streaming, or smaller images.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-ai-toolchain-operator-addon-issues",
        "https://learn.microsoft.com/azure/aks/artifact-streaming",
    ),
    leads_to=("kubernetes.image_pull_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
