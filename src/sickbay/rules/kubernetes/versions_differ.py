from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Two programs that call each other are of different versions (gRPC: unknown method or service, Unimplemented)",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"code = Unimplemented desc = unknown (?:method (?P<method>\w{1,80}) for )?service (?P<service>[\w.]{3,100})|UNIMPLEMENTED: (?:Method not found|unknown (?:method|service))[:! ]+(?P<called>[\w./]{3,120})",
            says="a program calls what the other does not know",
            sample="rpc error: code = Unimplemented desc = unknown method UpdateRevisionForPaths for service repository.RepoServerService",
            near_miss="rpc error: code = Unavailable desc = connection error",
            weight=TYPICAL,
            unless=r"runtime\.v1(?:alpha2)?\.(?:Runtime|Image)Service|grpc\.(?:health|reflection)",
        ),
    ),
    why="The server of a gRPC call does not know the method or service that the client asks for. Parts of one product that were upgraded one by one (an old pod that still runs, an image that was pinned by hand, a sidecar of another release), or a service name that leads to another program, print this.",
    remedy=(
        Step(
            "See which images and versions run.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.items[*].spec.containers[*].image}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring all parts of the product to one release, and restart those that still run the old one.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment/<name>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the call succeeds",
        ),
    ),
    docs=("https://grpc.io/docs/guides/status-codes/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl get pods -n {namespace} -o wide",
)
