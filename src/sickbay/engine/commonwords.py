"""Words that the logs of a cluster are full of: none of them is worth looking for by itself."""

from typing import Final

_WORDS: Final = (
    " .cluster.local access account action actions addon addons address addresses after again "
    "agent agentpools agents aks aks- all allowed also and apply arc are aso attempt attempts "
    "available azure azure-cni azure-vnet azure.com azurecr.io back-off backoff balancer "
    "because become becomes been before calico cannot certificate chart check checking "
    "checkout checks cilium client close cluster cluster.local clusters code command complete "
    "completed compute condition conditions config configuration conflict connect connected "
    "connecting connection connections contain container containerd containers contains "
    "context control controller coredns could count create created creating creation current "
    "daemon daemonset data deadline default delet delete deleted deleting deletion denied "
    "deploy deployment deploymentfailed deployments destination detail details device dial "
    "did disable disabled disk dockerd does drain during enable enabled endpoint endpoints "
    "err error errors event events evicted eviction exceed exceeded exceeds exit extension "
    "extensions external exthandler fail failed failing fails failure false field fields file "
    "files first for format found from gateway get group groups had handle handler has have "
    "health healthy host hosts http https identity image images include included info input "
    "install installed installing internal invalid json kernel key keys kind konnectivity "
    "konnectivity-agent kube kube-apiserver kube-proxy kube-system kubelet kubernetes label "
    "labels last lease level limit limits link linked list listed load local location log "
    "logs lookup machine machines managed managedclusters management management.azure.com "
    "manager mcr.microsoft.com memory message method metrics metrics-server microsoft "
    "microsoft.com microsoft.compute microsoft.containerservice microsoft.network "
    "microsoft.resources monitor more mount msg name named names namespace network networking "
    "networks next nni node nodes not notfound number object objects open operation "
    "operations output owner parameter patch path permitted ping plane please plugin pod pods "
    "policy pool port ports prefix private probe process processing progress properties "
    "property provide provided provider providers proxy public pull pulled pulling push query "
    "range reach reached read ready reason reconcile reconciled reconciler reconcil reconciling "
    "reference region registry release remote remov remove removed renamed replicaset report "
    "reported repository request requested requests required resized resolve resolved "
    "resource resourcegroup resourcegroups resources respons response restart restarting "
    "result results resume retry retrying return returned rotated route routes rule rules "
    "running scheduled scheduler scheduling scope script secret secrets security server "
    "servers service services set should size source space spec standard start started stat "
    "state statefulset states status stop stopped storage subnet subnets subscription "
    "subscriptions succeeded success successful successfully such supported svc sync synced "
    "system systemd table target temporarily temporary than that the then these this time "
    "timed timeout times token true type types unable unauthorized unknown update updated "
    "updating upgrade upstream user users valid value values version versions virtual "
    "virtualmachinescalesets virtualnetwork virtualnetworks vmss volume volumes wait waiting "
    "waitingforcluster walinuxagent warn warning was were when while with would write zone "
)


# A pattern that leaves the case of its first letter open holds only the rest as a literal.
_COMMON: Final = frozenset(
    part for word in _WORDS.split() for part in (word, word[1:] if word.isalpha() else word)
)


def is_common(word: str) -> bool:
    """Whether a word stands in every log."""
    return word.casefold() in _COMMON
