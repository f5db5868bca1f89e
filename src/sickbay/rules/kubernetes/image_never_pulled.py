from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The image is not on the node, and its pull policy is Never (ErrImageNeverPull)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"ErrImageNeverPull|is not present with pull policy of Never",
            says="the image may not be pulled",
            sample='Container image "cart:dev" is not present with pull policy of Never',
            near_miss='Container image "cart:dev" already present on machine',
        ),
    ),
    why="imagePullPolicy: Never uses only images that the node already has, which works on a developer's machine and not on a pool of nodes.",
    remedy=(
        Step(
            "Push the image to a registry, and set imagePullPolicy to IfNotPresent.",
            run=(
                "kubectl",
                "patch",
                "<workload>",
                "-n",
                "{namespace}",
                "--type",
                "json",
                "-p",
                '[{"op":"replace","path":"/spec/template/spec/containers/0/imagePullPolicy","value":"IfNotPresent"}]',
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/containers/images/#image-pull-policy",),
    leads_to=("kubernetes.rollout_stuck",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
