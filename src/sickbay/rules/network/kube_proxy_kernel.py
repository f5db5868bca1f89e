from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kernel of a node refuses rules of kube-proxy or Calico (iptables, nftables, ipset or IPVS)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"can't initialize ip6?tables table [`'](?P<table>filter|mangle|raw)'|(?:proxier\.go|KUBE-[A-Z]+|[Ff]elix).{0,300}?can't initialize ip6?tables table|Couldn't load (?:match|target) [`'](?P<module>[\w-]+)'|(?:RULE_(?:APPEND|INSERT|REPLACE)|CHAIN_(?:USER_)?(?:ADD|DEL|ZAP)) failed \((?:Device or resource busy|Invalid argument|No such file or directory|Numerical result out of range)\)|required kernel modules are not loaded|-t nat -A ISTIO_\w+ .{0,80}?No chain/target/match by that name|ipset v[\d.]{1,8}: Kernel and userspace incompatible|Kernel support protocol versions \d+-\d+ while userspace|Failed to add IPVS service|could not get IPVS services|[Cc]an't use the IPVS proxier|ip6?tables-(?:legacy|nft)-restore(?: v[\d.]+)?(?: \([\w-]+\))?: (?:line \d+ failed|unable to initialize table)|modprobe: FATAL: Module (?P<missing>ip_\w+|nf_\w+|xt_\w+|br_netfilter) not found|Error running ip6?tables-nft-save|Failed to write to (?:nf|ip)tables.{0,200}?error|[Ff]ailed to (?:list|initiali[sz]e?|load) nftables|nftables sync failed\b.{0,40}?err|failed to run nft\b|modprobe: ERROR: could not insert .?(?:ip_|nf_|xt_)\w+|Could not get ipvs family information from the kernel",
            says="the kernel refuses the rules",
            sample='E0301 proxier.go:859] "Failed to ensure chain exists" err="error creating chain \\"KUBE-EXTERNAL-SERVICES\\": exit status 3: iptables v1.8.4 (legacy): can\'t initialize iptables table `filter\': Table does not exist (do you need to insmod?)"',
            near_miss='"Using iptables proxier"',
            weight=TYPICAL,
            unless=r"AZURE-NPM|azure-npm|(?:istio-init|istio-iptables|linkerd-init|proxy-init|osm-init)|Permission denied \(you must be root\)",
        ),
    ),
    why="Services and policies on a node are rules in the kernel. When the module behind them is not loaded (ip_tables, nf_tables, ip_vs), or two programs write with different backends of iptables (legacy and nft), the new rules are refused and the old ones stay: services lead to pods that are gone, and policies do not hold.",
    remedy=(
        Step(
            "See the log of kube-proxy on that node.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "component=kube-proxy",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See which modules and which backend the node has (`lsmod`, `iptables --version`).",
            run=(
                "kubectl",
                "debug",
                "node/<node>",
                "-it",
                "--image=mcr.microsoft.com/azurelinux/busybox:1.36",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Load the module, or bring the image of the agent and the node image to releases that use the same backend; reimage the node where only one is affected.",
            run=(
                "az",
                "aks",
                "nodepool",
                "upgrade",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<pool>",
                "--node-image-only",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the log of kube-proxy shows no failed sync",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/configure-kube-proxy",
        "https://kubernetes.io/docs/reference/networking/virtual-ips/",
    ),
    leads_to=("kubernetes.kube_proxy_down",),
    ask="kubectl logs -n kube-system -l component=kube-proxy --tail=100",
)
