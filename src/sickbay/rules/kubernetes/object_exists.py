from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An object of this name exists already (AlreadyExists)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'Error from server \(AlreadyExists\)|error when creating .{1,200}?: (?P<kind>[a-z.]+) "(?P<object>[\w.:-]+)" already exists|(?:(?:INSTALLATION|UPGRADE) FAILED|Error: release \S{1,80} failed): .{0,120}?(?P<resource_kind>[a-z.]+) "(?P<name>[\w.:-]+)" already exists|[Hh]ook \S{1,60} \S{1,200} failed: (?:\d+ errors? occurred: \* )?(?P<hook_kind>[a-z.]+) "(?P<hook>[\w.:-]+)" already exists|error: failed to create (?:secret|configmap|namespace|\w+) (?P<which>[a-z.]+) "(?P<thing>[\w.:-]+)" already exists|(?:creating|create) (?:stateful ?set|deployment|daemon ?set|service|secret|config ?map) (?:object )?failed: (?P<made>[a-z.]+) "(?P<item>[\w.:-]+)" already exists',
            says="an object of this name is there already",
            sample='Error from server (AlreadyExists): error when creating "web.yaml": services "web" already exists',
            near_miss="service/web configured",
        ),
    ),
    why="Creating wants a free name. The object is there already, of an earlier attempt or another tool; kubectl apply would change it, and create does not.",
    remedy=(
        Step(
            "See what is there, and to whom it belongs.",
            run=(
                "kubectl",
                "get",
                "all,configmaps,secrets",
                "-n",
                "{namespace}",
                "--show-labels",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Apply instead of create, or delete the old object first if it is left over.",
            run=(
                "kubectl",
                "apply",
                "-f",
                "<manifest>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the command ends with configured or unchanged",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/kubectl/generated/kubectl_apply/",),
    leads_to=("kubernetes.release_gave_up",),
    ask="kubectl get all -n {namespace} --show-labels",
)
