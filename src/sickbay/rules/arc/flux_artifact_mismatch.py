from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Flux refuses an artifact: its checksum does not match (controllers of different versions, or it changed)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)failed to verify (?:archive|artifact)\W{0,3} ?computed (?:checksum|digest)|computed (?:checksum|digest) '?\S{1,80}'? (?:doesn't|does not) match provided",
            says="the checksum does not match",
            sample="failed to verify archive: computed checksum 'a86d' doesn't match provided 'b97e'",
            near_miss="artifact up-to-date with remote revision",
            weight=TYPICAL,
        ),
    ),
    why="The source controller writes an artifact with a checksum, and kustomize and helm controllers verify it. They disagree when their versions do not belong together (a hand-made Flux beside the extension, a half-done upgrade), or when a proxy changes what is fetched.",
    remedy=(
        Step(
            "See the versions of the controllers.",
            run=(
                "kubectl",
                "get",
                "deployments",
                "-n",
                "flux-system",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring the extension to one version.",
            run=(
                "az",
                "k8s-extension",
                "update",
                "-g",
                "{resource_group}",
                "-c",
                "{cluster}",
                "-t",
                "<cluster-type>",
                "-n",
                "flux",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Fetch the source anew.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment/source-controller",
                "-n",
                "flux-system",
            ),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/conceptual-gitops-flux2",),
    leads_to=("arc.flux_source_unready",),
    ask="kubectl get deployments -n flux-system -o wide",
)
