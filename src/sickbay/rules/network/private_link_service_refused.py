from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The private link service of a LoadBalancer service cannot be made (azure-pls annotations)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"reconcilePrivateLinkService for service\(?(?P<service>[\w./-]+?)\)?:? (?:failed: |failed |service requiring |abort backoff|disable PLS|getPrivateLinkService)|service requiring private link service must be internal|already has (?:existing|unmanaged) private link service|failed to get private link service subnet ?\(?(?P<subnet>[\w.-]+)|IPv6 is not supported for priva|cannot change existing private link service name|checkAndUpdatePLSIPConfigs: |reconcilePLS(?:Visibility|IpConfigs|EnableProxyProtocol|Fqdns): |getPLSStaticIPs: |getPLSIPConfigCount\w*: |disablePLSNetworkPolicy: ",
            says="the private link service was not made",
            sample="Error syncing load balancer: failed to ensure load balancer: reconcilePrivateLinkService for service(shop/web): service requiring private link service must be internal or disable floating ip",
            near_miss="reconcilePrivateLinkService for service(shop/web): finished",
        ),
    ),
    why="A service with `service.beta.kubernetes.io/azure-pls-create` gets a private link service in front of its frontend. That needs an internal, standard load balancer (or a rule without floating IP), IPv4, a subnet that exists with private link service network policies disabled, and one owner for each frontend; the name cannot be changed afterwards.",
    remedy=(
        Step(
            "See the annotations and events of the service.",
            run=("kubectl", "describe", "service", "-n", "<namespace>", "<service>"),
            risk=Risk.READ,
        ),
        Step(
            "Make the service internal, name a subnet of the cluster's network in `azure-pls-ip-configuration-subnet`, and let only one service of a frontend own the private link service.",
        ),
        Step(
            "Disable the policy of the subnet for private link services.",
            run=(
                "az",
                "network",
                "vnet",
                "subnet",
                "update",
                "--ids",
                "<subnet-id>",
                "--private-link-service-network-policies",
                "Disabled",
            ),
            risk=Risk.SAFE,
            verify="kubectl describe service shows EnsuredLoadBalancer",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/private-link-service-integration",
        "https://cloud-provider-azure.sigs.k8s.io/topics/pls-integration/",
    ),
    leads_to=("kubernetes.load_balancer_fails",),
    ask="kubectl describe service -n {namespace}",
)
