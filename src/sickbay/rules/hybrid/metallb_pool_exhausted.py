from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="MetalLB has no address for a LoadBalancer service: its pool is used up, missing or lacks the wanted address",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Failed to allocate IP for \W?(?P<service>[\w./-]+)\W?:? ?(?P<reason>no available IPs[\w ]{0,40}|[^\"]{0,60}?is not allowed in config|unknown pool[^\"]{0,40}|[^\"]{0,60}?not (?:found|available)[^\"]{0,40})",
            says="no address for {service}: {reason}",
            sample='Warning AllocationFailed metallb-controller Failed to allocate IP for "default/web": no available IPs',
            near_miss='Normal IPAllocated metallb-controller Assigned IP ["10.0.0.5"] to default/web',
        ),
        Signature(
            pattern=r"(?i)\bmetallb\b.{0,200}?(?:no available IPs|AllocationFailed|no (?:ip ?)?address ?pools?\b|address ?pool\b.{0,40}?(?:exhausted|empty|full|not found))(?P<service>)(?P<reason>)",
            says="MetalLB has no address to give",
            sample='{"caller":"service.go:150","error":"no available IPs","level":"error","msg":"IP allocation failed","op":"allocateIPs","app":"metallb","cause":"metallb: no available IPs"}',
            near_miss="metallb controller: assigned IP",
            weight=TYPICAL,
        ),
    ),
    why="On AKS enabled by Arc and on bare metal MetalLB gives services of type LoadBalancer their addresses from its IPAddressPools. When no pool exists, all addresses are taken, or the requested address is in none of them, the service stays pending with AllocationFailed.",
    remedy=(
        Step(
            "See the pools and who uses them.",
            run=(
                "kubectl",
                "get",
                "ipaddresspools.metallb.io,services",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a free range (az k8s-runtime load-balancer create, or an IPAddressPool with an advertisement), or free addresses by deleting services that are not needed.",
            risk=Risk.SAFE,
            verify="kubectl get svc -A wants an EXTERNAL-IP",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/load-balancer-overview",
        "https://metallb.io/configuration/",
    ),
    ask="kubectl get ipaddresspools.metallb.io -A",
    leads_to=("kubernetes.load_balancer_pending",),
)
