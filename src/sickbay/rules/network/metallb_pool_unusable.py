from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="MetalLB has no address to give to a LoadBalancer service: its pool is empty, full or missing",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:metallb-controller|AllocationFailed).{0,60}?Failed to allocate IP for \"?(?P<service>[\w./-]+)\"?: (?P<reason>.{3,200})|failed to allocate IP for \S{3,120}: (?:no available IPs|unknown pool|can't change sharing key)|no available IPs in pool",
            says="MetalLB gave no address",
            sample='Warning  AllocationFailed  4m21s (x2 over 4m21s)  metallb-controller  Failed to allocate IP for "default/my-service": no available IPs',
            near_miss='Normal  IPAllocated  metallb-controller  Assigned IP ["10.1.2.3"]',
        ),
        Signature(
            pattern=r"(?i)\bmetallb\b.{0,200}?(?:no available IPs|AllocationFailed|no (?:ip ?)?address ?pools?\b|address ?pool\b.{0,40}?(?:exhausted|empty|full|not found))(?P<service>)(?P<reason>)",
            says="MetalLB has no address to give",
            sample='{"caller":"service.go:150","error":"no available IPs","level":"error","msg":"IP allocation failed","op":"allocateIPs","app":"metallb","cause":"metallb: no available IPs"}',
            near_miss="metallb controller: assigned IP",
            weight=TYPICAL,
        ),
    ),
    why="On clusters without a cloud load balancer (AKS on Azure Local, Nexus, Arc) MetalLB hands out the external addresses of services from an IPAddressPool. Without a pool, with one that is used up, or one that the service may not use, the EXTERNAL-IP stays pending.",
    remedy=(
        Step(
            "See the pools and what they have left.",
            run=(
                "kubectl",
                "get",
                "ipaddresspools.metallb.io,l2advertisements.metallb.io",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add a range that is free in the network of the nodes, or release services that are no longer needed.",
            verify="kubectl get service -A shows an EXTERNAL-IP",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/load-balancer-overview",
        "https://metallb.io/configuration/",
    ),
    leads_to=("kubernetes.load_balancer_pending",),
    ask="kubectl get ipaddresspools.metallb.io -A -o json",
)
