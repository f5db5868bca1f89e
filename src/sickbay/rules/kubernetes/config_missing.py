from sickbay.model.environment import absent_value
from sickbay.model.guards import ConfigMap
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Pod)
def wants_absent_map(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.status.phase != "Pending" or not pod.spec.node_name:
        return None
    for volume in pod.spec.volumes or ():
        source = volume.config_map
        if source is None or source.optional or not source.name:
            continue
        if snapshot.get(kube("ConfigMap", pod.namespace, source.name), ConfigMap) is None:
            return Match(
                f"{pod.namespace}/{pod.name} mounts config map {source.name}, which does not exist",
                facts={"missing": source.name},
                cites=(pod.cite(f"spec.volumes[{volume.name}].configMap.name", source.name),),
            )
    return _of_environment(pod, snapshot) or Clear(
        f"the config maps that {pod.namespace}/{pod.name} mounts exist"
    )


def _of_environment(pod: Pod, snapshot: Snapshot) -> Match | None:
    found = absent_value(pod, snapshot)
    if found is None:
        return None
    name, key = found.source.name or "", found.source.key or ""
    return Match(
        f"container {found.container} of {pod.namespace}/{pod.name} takes its environment from {found.words}",
        facts={"missing": name, "kind": found.kind, "key": key},
        cites=(pod.cite(f"spec.containers[{found.container}].env", name),),
    )


RULE = Rule(
    title="A config map or secret that a pod needs does not exist (CreateContainerConfigError)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        wants_absent_map,
        Signature(
            pattern=r"(?i:couldn't find key) (?P<key>[\w.-]+) in (?P<kind>ConfigMap|Secret|Conf|Sec)\w* ?(?P<missing>[\w./-]*)",
            says="{kind} {missing} has no key {key}, which a container asks for",
            sample="Error: couldn't find key log-level in ConfigMap shop/cart-settings",
            near_miss="Error: couldn't find key for module cart",
        ),
        Signature(
            pattern=r'volume "(?P<missing>[\w.-]+)" : references non-existent (?P<kind>config|secret) key: (?P<key>[\w.-]+)',
            says="volume {missing} asks for the {kind} key {key}, which is not there",
            sample='MountVolume.SetUp failed for volume "tls" : references non-existent secret key: tls.crt',
            near_miss='MountVolume.SetUp succeeded for volume "tls"',
        ),
        Signature(
            pattern=r'(?:CreateContainerConfigError|FailedMount|MountVolume\.SetUp failed|Failed\b|Error: ).{0,200}?(?P<kind>configmap|secret) "(?P<missing>[\w.-]+)" not found|object "(?P<object>[\w./-]+)" not registered',
            says="{kind} {missing} does not exist",
            sample='Warning  Failed  3s (x5 over 45s)  kubelet  Error: configmap "cart-settings" not found',
            near_miss='Error from server (NotFound): pods "cart" not found',
        ),
        Signature(
            pattern=r'(?i)(?:error getting [\w -]{0,40}secret|could not (?:find|get) secret|could not get account key from secret|cannot get Kubernetes secret|failed to find GitHub config secret)[^"]{0,120}?(?P<kind>secrets?) "(?P<missing>[\w.-]+)" not found',
            says="a controller does not find the secret {missing} that it was told to use",
            sample='Reason: error getting azuredns client secret: secrets "azuredns-config" not found',
            near_miss='Reason: secret "shop-tls" not found, it will be created',
            # A driver that signs in by identity looks for a key as well, and goes on without.
            unless=r"since secret is optional",
        ),
        Signature(
            # As kubectl get -o yaml shows it: first the message, then its reason.
            pattern=r'message: \W{0,3}(?P<kind>configmap|secret) "(?P<missing>[\w.-]+)" not found\W{0,3}(?:,? ?"?reason\W{1,4})CreateContainerConfigError',
            says="{kind} {missing} does not exist",
            sample="waiting: message: 'secret \"cart-tls\" not found' reason: CreateContainerConfigError",
            near_miss="waiting: message: 'secret \"cart-tls\" is empty' reason: ContainerCreating",
        ),
        Signature(
            pattern=r"CreateContainerConfigError",
            says="a container cannot be configured",
            sample="cart-7d9f8b6c5-x2x4q   0/1     CreateContainerConfigError   0          3m",
            near_miss="cart-7d9f8b6c5-x2x4q   0/1     ContainerCreating   0          3m",
            weight=TYPICAL,
            unless="(?i:runAsNonRoot|couldn't find key|not found|non-root|missing value for|services have not yet been read)",
        ),
        Signature(
            pattern=r"(?:configmap|secret) references non-existent (?:config|secret) key: (?P<key>\S{1,120})|references non-existent (?:config|secret) key",
            says="a volume names a key that its config map or secret does not have",
            sample='MountVolume.SetUp failed for volume "conf" : configmap references non-existent config key: nginx.conf',
            near_miss='MountVolume.SetUp succeeded for volume "conf"',
        ),
    ),
    why="The kubelet starts a container only when every config map, secret and key that its environment and volumes name exists in the namespace of the pod.",
    remedy=(
        Step(
            "See what exists.",
            run=("kubectl", "get", "configmaps,secrets", "-n", "{namespace}"),
            risk=Risk.READ,
        ),
        Step(
            "Create the missing object or key, or correct the name in the workload; the pod then starts by itself.",
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/configuration/configmap/",
        "https://kubernetes.io/docs/concepts/configuration/secret/",
    ),
    leads_to=(
        "kubernetes.mount_failed",
        "kubernetes.rollout_stuck",
        "kubernetes.pod_pending",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
