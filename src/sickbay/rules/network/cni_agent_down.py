from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The agent of the network plugin does not answer on a node (azure-cns, cilium or calico-node)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"(?:localhost|127\.0\.0\.1):10090.{0,200}?(?:connection refused|i/o timeout|context deadline exceeded|EOF)|unable to connect to Cilium (?:agent|daemon)|failed to get IP (?:address )?from CNS.{0,200}?(?:connection refused|i/o timeout|context deadline exceeded|EOF|500 Internal|no such file)|from CNS with error: http request failed|Cilium API client timeout exceeded|cilium-(?:operator|agent)\b.{0,120}?level=fatal|level=fatal msg=.{0,300}?subsys=(?:daemon|cilium-\w+|azure|ipam)|nodenetworkconfigs\.acn\.azure\.com \"?[\w.-]+\"? not found|/var/run/cilium/cilium\.sock: connect: (?:no such file or directory|connection refused)|stat /var/lib/calico/nodename: no such file or directory|calico/node is not (?:ready|live): (?:felix is not (?:ready|live)|(?:bird|confd|bird6|bird/confd|BIRD) is not live|.{0,40}?unable to connect to BIRDv\d socket)",
            says="the network plugin cannot talk to its agent on the node",
            sample='plugin type="azure-vnet" failed (add): IPAM Invoker Add failed with error: Failed to get IP address from CNS: http request failed: Post "http://localhost:10090/network/requestipconfigs": dial tcp 127.0.0.1:10090: connect: connection refused',
            near_miss="azure-cns listens on localhost:10090",
            passes=True,
        ),
        Signature(
            pattern=r"(?i)unable to create endpoint: \[PUT /endpoint/\{id\}\]\[(?:429|5\d\d)\]|putEndpointIdTooManyRequests|putEndpointIdFailed|endpoint \d+ did not synchronously regenerate|netplugin failed with no error message|plugin type=\"?(?P<plugin>cilium-cni|calico|azure-vnet|flannel)\"?.{0,40}? failed \(add\): (?:netplugin failed|context deadline exceeded)|goroutine \d+ \[running\]:.{0,600}?github\.com/(?:cilium/cilium/(?:pkg|daemon|operator)|projectcalico/(?:calico/)?(?:felix|node|typha)|Azure/azure-container-networking/cns)\b",
            says="the agent of the network plugin did not set up the endpoint of a pod in time",
            sample='plugin type="cilium-cni" name="cilium" failed (add): unable to create endpoint: [PUT /endpoint/{id}][429] putEndpointIdTooManyRequests',
            near_miss="[PUT /endpoint/{id}][201] putEndpointIdCreated",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The plugin on the node asks an agent for addresses and routes: azure-cns on port 10090, cilium on its socket, calico-node by the file that it leaves. The agent does not run there (crash, image pull, memory, an API server that it cannot reach), so that no pod of the node gets a network.",
    remedy=(
        Step(
            "See the agents of the node.",
            run=(
                "kubectl",
                "get",
                "pods",
                "-A",
                "-o",
                "wide",
                "--field-selector",
                "spec.nodeName={node}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Read why the agent does not run.",
            run=("kubectl", "logs", "<agent-pod>", "-n", "kube-system", "--previous"),
            risk=Risk.READ,
        ),
        Step(
            "Mend what it names; then restart its pod on this node.",
            run=("kubectl", "delete", "pod", "<agent-pod>", "-n", "kube-system"),
            risk=Risk.DISRUPTIVE,
            verify="new pods on {node} leave ContainerCreating",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-network-cni-overview",
        "https://learn.microsoft.com/azure/aks/azure-cni-powered-by-cilium",
    ),
    leads_to=(
        "kubernetes.container_creating_stuck",
        "kubernetes.cni_not_ready",
        "kubernetes.program_fails",
    ),
    ask="kubectl get pods -n kube-system -o wide --field-selector spec.nodeName={node}",
)
