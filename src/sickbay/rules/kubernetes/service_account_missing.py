from sickbay.model.access import ServiceAccount
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import DaemonSet, Deployment, ReplicaSet, StatefulSet, Workload
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Deployment)
def deployment_names_nobody(work: Deployment, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(work, snapshot)


@each(StatefulSet)
def set_names_nobody(work: StatefulSet, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(work, snapshot)


@each(DaemonSet)
def daemon_names_nobody(work: DaemonSet, snapshot: Snapshot) -> Match | Clear | None:
    return _judge(work, snapshot)


@each(ReplicaSet)
def replicas_name_nobody(work: ReplicaSet, snapshot: Snapshot) -> Match | Clear | None:
    return None if any(map(snapshot.find, work.links(snapshot))) else _judge(work, snapshot)


def _judge(work: Workload, snapshot: Snapshot) -> Match | Clear | None:
    name = (work.spec.template and work.spec.template.spec.service_account_name) or ""
    wanted, status = work.spec.replicas, work.status
    if wanted is None:
        wanted = status.desired_number_scheduled
    there = status.ready_replicas or status.number_ready or status.replicas or 0
    if not name or not wanted or there >= wanted:
        return None
    if snapshot.get(kube("ServiceAccount", work.namespace, name), ServiceAccount):
        return Clear(f"service account {work.namespace}/{name} exists")
    return Match(
        f"{work.namespace}/{work.name} has {there} of {wanted} pods, and its service account {name} does not exist",
        facts={"account": name, "where": work.namespace},
        cites=(work.cite("spec.template.spec.serviceAccountName", name),),
    )


RULE = Rule(
    title="A pod names a service account that does not exist, so it is not created",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        deployment_names_nobody,
        set_names_nobody,
        daemon_names_nobody,
        replicas_name_nobody,
        Signature(
            # Deleted while its pods go on: they keep no fresh token, and a new one does not start.
            pattern=r'failed to fetch token: serviceaccounts? "(?P<account>[\w.-]+)" not found',
            says="service account {account} does not exist any more",
            sample='Warning  FailedMount  9s  kubelet  MountVolume.SetUp failed for volume "kube-api-access-abcde" : failed to fetch token: serviceaccounts "cart" not found',
            near_miss='Warning  FailedMount  9s  kubelet  MountVolume.SetUp failed for volume "kube-api-access-abcde" : failed to fetch token: pods "cart-1" not found',
        ),
        Signature(
            pattern=r'error looking up service account (?P<where>[\w.-]+)/(?P<account>[\w.-]+): serviceaccounts? "[\w.-]+" not found',
            says="service account {account} does not exist in namespace {where}",
            sample='Error creating: pods "cart-1" is forbidden: error looking up service account shop/cart: serviceaccount "cart" not found',
            near_miss='serviceaccounts "cart" is forbidden: User "dev" cannot get resource "serviceaccounts" in API group "" in the namespace "shop"',
        ),
        Signature(
            pattern=r"service account (?P<where>[\w.-]+)/(?P<account>[\w.-]+) was not found, retry after",
            says="service account {account} does not exist in namespace {where}",
            sample='Pod "cart-1" is forbidden: service account shop/cart was not found, retry after the service account is created',
            near_miss='Pod "cart-1" is forbidden: service account shop/cart lacks a token',
        ),
    ),
    why="The API server admits a pod only when the service account that it names exists in its own namespace; a misspelled name, another namespace, or a chart that was told not to create the account leaves the workload without a single pod.",
    remedy=(
        Step(
            "See the service accounts of the namespace.",
            run=("kubectl", "get", "serviceaccounts", "-n", "{where}"),
            risk=Risk.READ,
        ),
        Step(
            "Create the account with the rights that its program needs, or correct serviceAccountName in the workload; the controller then creates the pods by itself.",
            run=("kubectl", "create", "serviceaccount", "{account}", "-n", "{where}"),
            verify="kubectl get pods -n {where} shows the pods of the workload",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/",),
    leads_to=(
        "kubernetes.pods_not_created",
        "kubernetes.rollout_stuck",
        "kubernetes.mount_failed",
    ),
    ask="kubectl get serviceaccounts -n {namespace}",
)
