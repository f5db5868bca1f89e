from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="CoreDNS gets answers from its upstream that it cannot read (cut off or malformed)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"plugin/errors: \d+ (?P<host>[\w.*-]{1,253}?)\.? (?P<type>[A-Z]{1,10}): dns: (?:overflow (?:un)?packing|bad (?:rdata|rdlength|pointer)|buffer size too small|too many compression pointers|id mismatch)|overflow unpacking uint(?:16|32)",
            says="the answer for a name cannot be unpacked",
            sample="[ERROR] plugin/errors: 2 api.example.com. A: dns: overflow unpacking uint32",
            near_miss="[INFO] plugin/errors: 0 api.example.com. A: NOERROR",
        ),
    ),
    why="The upstream DNS server, or a firewall with DNS inspection, sends UDP answers that are longer than announced or cut in the middle. CoreDNS cannot unpack them and answers SERVFAIL for this name.",
    remedy=(
        Step(
            "Add `force_tcp` or `prefer_udp` with a larger `bufsize 1232` for this zone in coredns-custom."
        ),
        Step(
            "Ask the owner of the upstream server why its answers are cut: size limit, DNS inspection, EDNS."
        ),
        Step(
            "Ask the upstream directly.",
            run=(
                "nslookup",
                "{host}",
            ),
            risk=Risk.READ,
        ),
    ),
    leads_to=(
        "network.dns_server_silent",
        "network.name_resolution_fails",
    ),
    docs=("https://coredns.io/plugins/bufsize/",),
    ask="kubectl logs -n kube-system -l k8s-app=kube-dns",
)
