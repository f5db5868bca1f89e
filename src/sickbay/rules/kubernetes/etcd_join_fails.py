from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A new control plane node cannot join the etcd of the others (kubeadm join, port 2380)",
    severity=Severity.ERROR,
    categories=(Category.NODES, Category.CREATION),
    detect=(
        Signature(
            pattern=r"error creating local etcd static pod manifest file|error execution phase (?:control-plane-join/)?etcd(?:-join)?\b|\[etcd\] Adding etcd member: (?P<member>https?://[\w.:\[\]-]+).{0,120}?(?:context deadline exceeded|timed out)|etcdserver: re-configuration failed due to not enough started members|can only promote a learner member which is in sync",
            says="etcd did not take the new member[ {member}]",
            sample="[etcd] Adding etcd member: https://10.0.0.6:2380 context deadline exceeded error creating local etcd static pod manifest file",
            near_miss="[etcd] Adding etcd member: https://10.0.0.6:2380 [etcd] Creating static Pod manifest for etcd",
            weight=TYPICAL,
        ),
    ),
    why="kubeadm join on a control plane node adds a member to the running etcd and starts it. The others must agree and be reached on ports 2379 and 2380: that fails while another node joins at the same moment, while a dead member still counts for the quorum, when disks are too slow, or when the ports are closed between the nodes.",
    remedy=(
        Step(
            "List the members and their health from a control plane node that runs.",
            run=(
                "kubectl",
                "exec",
                "-n",
                "kube-system",
                "<etcd-pod>",
                "--",
                "etcdctl",
                "--cacert=/etc/kubernetes/pki/etcd/ca.crt",
                "--cert=/etc/kubernetes/pki/etcd/peer.crt",
                "--key=/etc/kubernetes/pki/etcd/peer.key",
                "member",
                "list",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove members of nodes that are gone, open 2379 and 2380 between the control plane nodes, and join one node after the other.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Reset the node (kubeadm reset) and join again; with Cluster API delete its Machine.",
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get nodes wants Ready for the new control plane node",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/troubleshooting-kubeadm/",
        "https://etcd.io/docs/latest/op-guide/runtime-configuration/",
    ),
    ask="kubectl get pods -n kube-system -l component=etcd",
    leads_to=("aso.capz_bootstrap_failed", "aso.capz_not_ready"),
)
