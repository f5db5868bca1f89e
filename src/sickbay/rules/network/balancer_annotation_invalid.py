from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An annotation or field of a LoadBalancer service has a value that Azure does not take (protocol mix, probe)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"may not contain a mix of protocols|total probe should be less than|both (?:\S{0,20}loadBalancerSourceRanges and annotation|service\.beta\.kubernetes\.io/azure-[\w-]+ and \S{0,10}loadBalancerSourceRanges)|idle timeout value must be (?:a whole number|between)|error parsing (?:annotation|\S{0,20} ?service annotation)|(?i:spec\.loadBalancerSourceRanges\b.{0,300}?is not valid)|(?:annotation|value) \S{0,40}service\.beta\.kubernetes\.io/azure-[\w-]+\S{0,40} .{0,200}?(?:invalid|not valid|must be|is not)|service\.beta\.kubernetes\.io/azure-[\w-]+\S{0,10}:? (?:invalid|failed to parse|error)|(?:port|probe) .{0,80}?(?:unsupported|not supported) (?:protocol|probe)|invalid source ranges|\bAllowedIPRanges\b.{0,80}?invalid",
            says="an annotation or field of the service is refused",
            sample="Error syncing load balancer: failed to ensure load balancer: error parsing annotation service.beta.kubernetes.io/azure-load-balancer-tcp-idle-timeout: idle timeout value must be between 4 and 30 minutes, actually 40",
            near_miss="Ensured load balancer with service.beta.kubernetes.io/azure-load-balancer-internal: true",
        ),
    ),
    why="The cloud provider reads annotations and source ranges of the service before it calls Azure, and refuses the whole service when one cannot be read: a timeout outside 4 to 30 (or 100) minutes, a range that is no CIDR, an unknown probe protocol, an address of the wrong family.",
    remedy=(
        Step(
            "Look at the annotations and source ranges of the service.",
            run=(
                "kubectl",
                "get",
                "services",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the value that the message names.",
            verify="kubectl describe service: EnsuredLoadBalancer",
        ),
    ),
    leads_to=(
        "kubernetes.load_balancer_fails",
        "kubernetes.object_invalid",
    ),
    docs=("https://cloud-provider-azure.sigs.k8s.io/topics/loadbalancer/",),
    ask="kubectl get services -A -o yaml",
)
