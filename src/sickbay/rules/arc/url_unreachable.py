from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A required URL is not reachable from the appliance or this machine: a firewall or proxy blocks it",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"""(?i)Not able to connect to (?P<url>https://[\w.<>-]+(?:/[^\s\"']*)?)|http-connectivity-required-url-test\W+Fail|Outbound connectivity to (?:the )?required urls? .{0,20}fail""",
            says="{url} is not reached from the appliance",
            sample="GuestInternetConnectivityError: Not able to connect to https://msk8s.sb.tlu.dl.delivery.mp.microsoft.com. Error returned: action failed after 5 attempts: EOF",
            near_miss="Connected to https://msk8s.sb.tlu.dl.delivery.mp.microsoft.com",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)(?P<url>https://[\w.-]*(?:cdp|delivery\.mp)\.microsoft\.com).{0,300}?(?:i/o timeout|connectex|connection refused|connection timed out|no route to host|forcibly closed|: EOF)",
            says="{url}, from which the image comes, is not reached",
            sample='az arcappliance prepare vmware: Post "https://msk8s.api.cdp.microsoft.com/api/v1.1/contents": dial tcp 20.72.235.82:443: connectex: A connection attempt failed',
            near_miss='az arcappliance prepare vmware: Post "https://msk8s.api.cdp.microsoft.com/api/v1.1/contents": 200 OK',
            weight=TYPICAL,
            unless=r"(?i)proxyconnect|GuestInternetConnectivityError",
        ),
    ),
    why="Internet access works or half works, but one or more of the URLs that Arc needs are blocked by a firewall or a proxy. The validation says `Not able to connect to https://…`, the deployment may end in a KVA timeout.",
    remedy=(
        Step(
            "Try the URL from the network of the appliance.",
            run=(
                "curl",
                "-v",
                "{url}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow the URL on 443 for the appliance VM IPs and the control plane IP, directly or through the proxy; compare the whole allowlist.",
        ),
        Step(
            "Repeat the deployment.",
            verify="az arcappliance validate <fabric> --config-file <name>-appliance.yaml passes",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/network-requirements",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=("arc.kva_timeout",),
    ask="az arcappliance validate <fabric> --config-file <name>-appliance.yaml",
)
