from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A network policy drops this traffic (packet log of Calico or Cilium)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?P<source>[\w.-]+/[\w.-]+|[\da-f.:]+?)(?::\d+)?(?: \((?:ID:\d+|[\w.:-]{1,80})\))? (?:<>|->) (?P<destination>[\w.-]+/[\w.-]+|[\da-f.:]+?|[\w-]+\.[\w.-]+)(?::(?P<port>\d+))?(?: \((?:ID:\d+|[\w.:-]{1,80})\))? (?:(?i:Policy denied)(?: by denylist)? DROPPED|policy-verdict:\S+ (?:INGRESS |EGRESS )?DENIED)",
            says="a policy drops traffic from {source} to {destination} port {port}",
            sample="Nov 16 10:11:12.131: shop/web-5c4d8b7f6-q8zkn:51234 (ID:4711) <> shop/cart-7d9c5b6f4-x2x8k:8080 (ID:8080) Policy denied DROPPED (TCP Flags: SYN)",
            near_miss="Nov 16 10:11:12.131: shop/web-5c4d8b7f6-q8zkn:51234 (ID:4711) -> shop/cart-7d9c5b6f4-x2x8k:8080 (ID:8080) to-endpoint FORWARDED (TCP Flags: SYN)",
            # Strangers knock at every door: that they are not let in is what policies are for.
            unless=r"\(world(?:-ipv[46])?\) (?:<>|->)",
        ),
        Signature(
            pattern=r"xx drop \((?i:Policy denied)[^)]{0,40}\).{0,200}?: (?P<source>[\da-f.:\[\]]+?)(?::\d+)? -> (?P<destination>[\da-f.:\[\]]+?)(?::(?P<port>\d+))? (?P<protocol>[a-zA-Z]\w*)",
            says="a policy drops traffic from {source} to {destination} port {port}",
            sample="xx drop (Policy denied) flow 0x5be2a1c5 to endpoint 1234, ifindex 12, file bpf_lxc.c:2067, , identity 4711->8080: 10.244.1.5:51234 -> 10.244.2.7:8080 tcp SYN",
            near_miss="xx drop (Unsupported L3 protocol) flow 0x0 to endpoint 0, ifindex 12, identity 4711->unknown: fe80::1 -> ff02::2 RouterSolicitation",
            unless=r"identity world(?:-ipv[46])?->",
            passes=True,
        ),
        Signature(
            pattern=r"\"verdict\": ?\"DROPPED\".{0,1000}?\"drop_reason_desc\": ?\"POLICY_DENIED|\"drop_reason_desc\": ?\"POLICY_DENIED.{0,1000}?\"verdict\": ?\"DROPPED\"|drop_reason_desc: POLICY_DENIED",
            says="a policy drops traffic, as Hubble saw",
            sample='{"flow":{"time":"2026-11-16T10:11:12Z","verdict":"DROPPED","IP":{"source":"10.244.1.5","destination":"10.244.2.7"},"l4":{"TCP":{"source_port":51234,"destination_port":8080}},"Type":"L3_L4","drop_reason_desc":"POLICY_DENIED"},"node_name":"n1"}',
            near_miss='{"flow":{"time":"2026-11-16T10:11:12Z","verdict":"FORWARDED","IP":{"source":"10.244.1.5","destination":"10.244.2.7"},"Type":"L3_L4"},"node_name":"n1"}',
        ),
        Signature(
            pattern=r"calico-(?:packet|drop|deny)[\w-]*: ?IN=\S{0,40} OUT=\S{0,40} .{0,200}?SRC=(?P<source>[\da-f.:]+) DST=(?P<destination>[\da-f.:]+) .{0,200}?PROTO=(?P<protocol>\w+)(?: SPT=\d+ DPT=(?P<port>\d+))?",
            says="a Calico policy logged traffic from {source} to {destination} port {port}",
            sample="kernel: [12345.678901] calico-packet: IN=azv1 OUT=eth0 MAC=aa:bb SRC=10.244.1.5 DST=10.244.2.7 LEN=60 TOS=0x00 PREC=0x00 TTL=63 ID=4711 DF PROTO=TCP SPT=51234 DPT=8080 WINDOW=64240 RES=0x00 SYN URGP=0",
            near_miss="kernel: [12345.678901] IPv4: martian source 10.244.1.5 from 10.244.2.7, on dev eth0",
            # The action Log comes before a Deny, but may stand alone.
            weight=TYPICAL,
        ),
    ),
    why="Once a policy selects a pod, only what some policy allows may reach it (or leave it); everything else is dropped without an answer, and connections time out. The packet log names source, destination and port of what was dropped; for Calico the rule that logs is mostly followed by one that denies.",
    remedy=(
        Step(
            "See the policies of both namespaces.",
            run=(
                "kubectl",
                "get",
                "networkpolicies,ciliumnetworkpolicies,globalnetworkpolicies",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "If the traffic is wanted, allow it: an ingress rule at the destination and, where egress is limited, an egress rule at the source, for this port.",
            risk=Risk.DISRUPTIVE,
            verify="the connection succeeds, and the packet log shows no further drop",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/services-networking/network-policies/",
        "https://learn.microsoft.com/azure/aks/use-network-policies",
        "https://docs.tigera.io/calico/latest/network-policy/policy-rules/log-rules",
    ),
    leads_to=(
        "network.connection_times_out",
        "network.dns_server_silent",
        "network.name_resolution_fails",
    ),
    ask="kubectl get networkpolicies -A -o yaml",
)
