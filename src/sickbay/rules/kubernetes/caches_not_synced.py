from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A controller or kubelet cannot list what it watches, so its caches never sync: a right, kind or webhook lacks",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"unable to sync caches for (?P<controller>[\w -]{3,60})|timed out waiting for dependency graph builder sync|timed out waiting for caches? to (?:be )?synce?d?|failed to wait for [\w.-]{1,80} caches to sync|failed to sync (?:cache: timed out|\*v\d\w*\.\w+: (?:context deadline exceeded|timed out))|error waiting for cache sync|services have not yet been read at least once",
            says="a controller waits in vain for its caches",
            sample="E0402 10:52:00.858600 8 garbagecollector.go:233] timed out waiting for dependency graph builder sync during GC sync (attempt 16)",
            near_miss="I0402 10:52:00.858600 8 shared_informer.go:320] Caches are synced for garbage collector",
            weight=TYPICAL,
            unless=r"azureserviceoperator|azure\.com",
            passes=True,
            ended_by=r"[Cc]aches are synced|Starting workers",
        ),
    ),
    why="Before it works, a controller lists every kind that it watches. One list that fails holds it back: its account has no right, the custom resource is not installed or no longer served, a conversion webhook or an aggregated API is down, or the API server is too slow. A kubelet that has not yet read the services starts no container. The garbage collector of the controller manager lists every kind of the cluster: one broken kind stops the deletion of whatever depends on an owner.",
    remedy=(
        Step(
            "See in its log which kind cannot be listed (lines of reflector.go).",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "--tail=200",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether an API behind the API server is unavailable.",
            run=(
                "kubectl",
                "get",
                "apiservices",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See whether the account of the controller may list it.",
            run=(
                "kubectl",
                "auth",
                "can-i",
                "--list",
                "--as=system:serviceaccount:{namespace}:<account>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Grant the right, install the missing kind, or mend the webhook or API that fails.",
            risk=Risk.SAFE,
            verify="the controller logs that its caches are synced",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/architecture/garbage-collection/",),
    leads_to=(
        "kubernetes.program_fails",
        "kubernetes.namespace_stuck",
        "kubernetes.condition_timeout",
    ),
    ask="kubectl logs {pod} -n {namespace} --tail=200",
)
