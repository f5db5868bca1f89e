from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A layer of the image cannot be unpacked (failed to extract layer, wrong digest)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"failed to extract layer (?P<layer>sha256:\w+)?|failed to prepare extraction snapshot .{0,200}?(?:no such file|failed to stat|does not exist|not found)|failed commit on ref .{0,200}?unexpected commit (?:digest|size)|failed to (?:unpack|apply) .{0,100}?(?:unexpected EOF|archive/tar: invalid tar header)",
            says="a layer of an image is broken",
            sample='Failed to pull image "contoso.azurecr.io/cart:1": rpc error: code = Unknown desc = failed to pull and unpack image: failed to extract layer sha256:1f5e: unexpected EOF: unknown',
            near_miss='Successfully pulled image "contoso.azurecr.io/cart:1"',
            weight=TYPICAL,
            unless=r"(?i)no space left",
        ),
    ),
    why="The layer arrived damaged or incomplete, was pushed broken, or holds files that this node cannot unpack (a layer for another OS, a file system error of the node's disk).",
    remedy=(
        Step(
            "Pull the same image on another machine to see whether the registry or the node is at fault.",
            run=(
                "docker",
                "pull",
                "<image>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Push the image again; if only one node fails, drain and reimage it.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "{pool}",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/containers/images/",),
    leads_to=("kubernetes.image_pull_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
