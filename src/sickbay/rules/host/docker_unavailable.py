from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Docker is missing or does not run on this machine, or this user may not use it",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"\bDOCKER_(?:COMMAND|DAEMON|VERSION)_ERROR\b|docker_engine: The system cannot find the file specified|error during connect: .{0,200}?docker_engine|'docker'? command not found|docker: (?:command )?not found|requires running the docker daemon, which is not supported in Azure Cloud Shell",
            says="the Docker daemon does not answer",
            sample="An error occurred: DOCKER_COMMAND_ERROR",
            near_miss="Docker daemon status: available",
        ),
    ),
    why="az acr login, docker build and docker push talk to the Docker daemon of this machine. It is not installed (a cloud shell, a container, a build agent without it), not started, or its socket belongs to a group that the user is not in. Nodes of AKS have used containerd, not Docker, since Kubernetes 1.19.",
    remedy=(
        Step(
            "See whether the daemon runs, and for whom.",
            run=("docker", "info"),
            risk=Risk.READ,
        ),
        Step(
            "Start Docker (Desktop, or the service), and put the user into its group.",
            run=("sudo", "usermod", "-aG", "docker", "<user>"),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Where there can be none: take a token instead, or build in the registry.",
            run=("az", "acr", "login", "-n", "<registry>", "--expose-token"),
            risk=Risk.SAFE,
            verify="the same command succeeds",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/container-registry/container-registry-authentication",
        "https://learn.microsoft.com/azure/container-registry/container-registry-tutorial-quick-task",
    ),
    # What docker itself says of it is what programs in pods say, too.
    leads_to=("kubernetes.docker_absent",),
    ask="docker info",
)
