"""Words that the logs of a cluster are full of: none of them is worth looking for by itself."""

from typing import Final

_WORDS: Final = (
    " access account action actions addon addons address addresses after again agent agentpools "
    "agents ailed aks aks- all allowed also and apply arc are aso attempt attempts available "
    "azure azure-cni azure-vnet azure.com azurecr.io back-off backoff badrequest balancer "
    "because been before calico cannot certificate chart check checking checks cilium client "
    "close cluster clusters code command complete completed compute condition conditions config "
    "configuration conflict connect connected connecting connection connections container "
    "containerd containers context control controller coredns could count create created "
    "creating creation current daemon daemonset data deadline default delete deleted deleting "
    "deletion denied deploy deployment deploymentfailed deployments destination detail details "
    "device dial did disable disabled disk dockerd does drain during enable enabled endpoint "
    "endpoints err error errors event events evicted eviction exceeded exit extension "
    "extensions external exthandler fail failed failing fails failure false field fields file "
    "files first for forbidden format found from gateway get group groups had handle handler "
    "has have health healthy host hosts http https identity image images info input install "
    "installed installing internal invalid json kernel key keys kind konnectivity "
    "konnectivity-agent kube kube-apiserver kube-proxy kube-system kubelet kubernetes label "
    "labels last level limit list load local location log logs lookup machine machines managed "
    "managedclusters management management.azure.com manager mcr.microsoft.com memory message "
    "method metrics metrics-server microsoft microsoft.com microsoft.compute "
    "microsoft.containerservice microsoft.network microsoft.resources monitor more mount msg "
    "name named names namespace network networking networks next node nodes not notfound number "
    "object objects open operation operations output owner parameter patch path plane please "
    "plugin pod pods policy port ports private probe process processing progress properties "
    "property provider providers proxy public pull pulled pulling push query read ready reason "
    "reconcile reconciled reconciler reconciling reference region registry release replicaset "
    "report reported repository request requested requests required resolve resolved resource "
    "resourcegroup resourcegroups resources response restart restarting result results resume "
    "retry retrying return returned route routes rror rule rules running scheduled scheduler "
    "scheduling scope secret secrets security server servers service services set should size "
    "source space spec standard start started stat state statefulset states status stop stopped "
    "storage subnet subnets subscription subscriptions succeeded success successful "
    "successfully such supported svc sync synced system systemd table target temporarily "
    "temporary than that the then these this time timed timeout times token true type types "
    "unable unauthorized unknown update updated updating upgrade user users valid value values "
    "version versions virtual virtualmachinescalesets virtualnetworks vmss volume volumes wait "
    "waiting walinuxagent warn warning was were when while with would write zone "
)


def is_common(word: str) -> bool:
    """Whether a word stands in every log."""
    return f" {word.casefold()} " in _WORDS
