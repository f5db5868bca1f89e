from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubeadm, kind or minikube could not bring up a control plane: its API server never became healthy",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"error execution phase wait-control-plane|couldn't initialize a Kubernetes cluster|failed to (?:init|join) node with kubeadm|apiserver healthz never reported healthy|Exiting due to K8S_APISERVER_MISSING",
            says="the control plane of a self-made cluster did not start",
            sample='ERROR: failed to create cluster: failed to init node with kubeadm: command "docker exec --privileged kind-control-plane kubeadm init --v=6" failed with error: exit status 1',
            near_miss="Your Kubernetes control-plane has initialized successfully!",
            weight=SYMPTOM,
        ),
    ),
    why="kubeadm (also inside kind and minikube) writes the manifests of the control plane and waits for the kubelet to start them. They do not start when the kubelet or runtime does not suit the host (cgroup driver, swap, version), their images cannot be pulled, the disk is full, or a limit such as inotify watches is reached.",
    remedy=(
        Step(
            "Read the log of the kubelet on that machine; in kind, export the logs of a retained cluster (kind create cluster --retain, kind export logs).",
            run=("journalctl", "-u", "kubelet", "--no-pager", "-n", "100"),
            risk=Risk.READ,
        ),
        Step(
            "See which containers of the control plane end, and why (crictl ps -a, crictl logs).",
            risk=Risk.READ,
        ),
        Step(
            "Mend what they name, clear the machine and begin again.",
            verify="the API server answers",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/troubleshooting-kubeadm/",
        "https://kind.sigs.k8s.io/docs/user/known-issues/",
    ),
    ask="journalctl -u kubelet --no-pager -n 100",
)
