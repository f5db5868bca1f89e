from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The API server, etcd or an aggregated API (metrics) is overloaded or unavailable",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"[Tt]he server is currently unable to handle the request|TooManyRequests: the server has received too many requests|[Tt]he server cannot complete the requested operation at this time|too many requests(?:, please| and has asked us to) try again later|the server was unable to return a response in the time allotted|Error from server \(Timeout\): .{0,300}?request did not complete within (?:the )?requested timeout|etcdserver: (?:request timed out|mvcc: database space exceeded|too many requests|leader changed)|\betcd .{0,40}?database space exceeded",
            says="the API server or an API behind it is overloaded or unavailable",
            sample="Error from server (ServiceUnavailable): the server is currently unable to handle the request",
            near_miss="Waited for 1.1s due to client-side throttling, not priority and fairness, request: GET:https://10.0.0.1:443/api",
            unless=r"metrics\.k8s\.io\)|(?:list of server APIs|discover some groups): (?:map\[)?[\w-]+\.[\w.-]+/v|couldn't get resource list for|failed calling (?:admission )?webhook",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"\[-\](?P<part>[\w/.-]+) failed: |(?:readyz|livez|healthz) check failed",
            says="the API server reports that its check {part} failed",
            sample="[+]ping ok\n[+]etcd ok\n[-]poststarthook/rbac/bootstrap-roles failed: reason withheld\nreadyz check failed",
            near_miss="[+]ping ok\n[+]log ok\n[+]etcd ok\nreadyz check passed",
            # Its store has a rule of its own.
            unless=r"\[-\]etcd\b|\[-\](?:readyz|livez|healthz) failed|check failed: (?:readyz|livez)|last tick wasn|metric-(?:storage|collection)",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"apiserver_flowcontrol_rejected_requests_total\{.{0,300}?\} [1-9]",
            says="priority and fairness rejects requests",
            sample='apiserver_flowcontrol_rejected_requests_total{flow_schema="service-accounts",priority_level="workload-low",reason="queue-full"} 1287',
            near_miss='apiserver_flowcontrol_rejected_requests_total{flow_schema="service-accounts",priority_level="workload-low",reason="queue-full"} 0',
            weight=TYPICAL,
        ),
    ),
    why="The API server throttles (429, priority and fairness), its etcd store is full or slow, or an aggregated API such as metrics is unavailable: too many or too large requests, often from one controller that lists everything. Client-side throttling is no fault of the server.",
    remedy=(
        Step(
            "See which clients call most (control plane logs), and whether an aggregated API is down.",
            run=("kubectl", "get", "apiservices"),
            risk=Risk.READ,
        ),
        Step(
            "Let the API server name the part that fails: etcd is its store, a poststarthook its own start.",
            run=("kubectl", "get", "--raw", "/readyz?verbose"),
            risk=Risk.READ,
        ),
        Step(
            "Stop or mend the client that lists too much, and remove objects by the hundred thousand (events, jobs, secrets).",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get --raw /readyz answers ok",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/troubleshoot-apiserver-etcd",
        "https://kubernetes.io/docs/concepts/cluster-administration/flow-control/",
        "https://kubernetes.io/docs/reference/using-api/health-checks/",
    ),
    leads_to=("network.api_timeout",),
    ask="kubectl get apiservices",
    spreads=True,
)
