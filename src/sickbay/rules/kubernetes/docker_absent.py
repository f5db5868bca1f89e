from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program in a pod wants the Docker daemon, which nodes with containerd do not have",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Cannot connect to the Docker daemon at (?P<socket>(?:unix|tcp)://[^\s.]{0,60}(?:\.\w+)*)|dial unix (?:/host|/rootfs)?/(?:var/)?run/docker\.sock: connect: (?:no such file or directory|connection refused)|(?:Got permission denied while trying|permission denied while trying) to connect to the (?:Docker daemon socket|docker API)|docker\.errors\.DockerException: Error while fetching server API version|dockerd-rootless|hostPath type check failed: /(?:var/)?run/docker\.sock",
            says="a program finds no Docker daemon",
            sample="Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
            near_miss="Connected to the Docker daemon at tcp://localhost:2376",
            weight=TYPICAL,
            unless=r"(?i)desc = Cannot connect|GCFailed|\bPLEG\b|kubelet|minikube|Docker Desktop|docker_engine",
        ),
    ),
    why="Since Kubernetes 1.24 the nodes of AKS run containerd: /var/run/docker.sock does not exist there, so a build agent, log shipper or scanner that mounts it finds nothing. A runner without a Docker sidecar (dind), or one whose sidecar has not started yet, says the same.",
    remedy=(
        Step(
            "See which runtime the nodes have.",
            run=("kubectl", "get", "nodes", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Build images without a daemon (az acr build, BuildKit rootless, Kaniko, Buildah), or give the runner its own Docker in a sidecar (containerMode dind in the runner scale set, DOCKER_HOST=tcp://localhost:2376).",
        ),
        Step(
            "Give a log or security agent the containerd socket (/run/containerd/containerd.sock) in its settings, or a version that knows it.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/cluster-configuration",
        "https://docs.github.com/actions/hosting-your-own-runners/managing-self-hosted-runners-with-actions-runner-controller/deploying-runner-scale-sets-with-actions-runner-controller",
    ),
    leads_to=("kubernetes.program_fails", "kubernetes.host_path_wrong"),
    ask="kubectl get nodes -o wide",
)
