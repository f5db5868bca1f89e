from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Packets are lost between workloads of a Nexus site, as iperf or the counters of a card show",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\d+(?:\.\d+)? ms +(?P<lost>\d+)/(?P<sent>\d+) \((?P<percent>[1-9]\d?(?:\.\d+)?|100)%\) +receiver",
            says="{lost} of {sent} datagrams were lost ({percent} percent)",
            sample="[  5]   0.00-10.00  sec  1.25 GBytes  1.05 Gbits/sec  0.012 ms  85634/925634 (9.3%)  receiver",
            near_miss="[  5]   0.00-10.00  sec  1.25 GBytes  1.05 Gbits/sec  0.012 ms  0/925634 (0%)  receiver",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"\b(?:rx_discards_phy|rx_out_of_buffer|tx_discards_phy|rx_crc_errors_phy|rx_symbol_err_phy): (?P<lost>[1-9]\d{2,})(?P<sent>)(?P<percent>)",
            says="a network card counted {lost} dropped or broken frames",
            sample="rx_discards_phy: 48213",
            near_miss="rx_discards_phy: 0",
            weight=TYPICAL,
        ),
    ),
    why="Packet loss inside a site comes from a link with errors, from a path whose MTU is smaller than that of the workload, or from a machine whose cores or buffers are overloaded. Which it is, the counters along the way tell.",
    remedy=(
        Step(
            "Measure between two pods, once with small and once with large datagrams: only large ones lost means the MTU.",
            run=("kubectl", "get", "pods", "-A", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "See whether a machine on the way is degraded.",
            run=("az", "networkcloud", "baremetalmachine", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Repair the link, set the same MTU along the way, or move the workload to a machine with more room.",
            risk=Risk.DISRUPTIVE,
            verify="iperf3 -u wants 0 lost datagrams",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-packet-loss",),
    ask="az networkcloud baremetalmachine list -o table",
)
