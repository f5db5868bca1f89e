from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A service that a program depends on throttles it (429 Too Many Requests, request rate is large)",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Request rate is large|TooManyRequests \(429\)|HTTP(?:Error)?:? ?\(?429\b|status(?: code)?[ :=]{1,3}429\b|429 Client Error: Too Many Requests|RateLimitExceeded|ServerBusy\b|\(50002\)|ThrottlingException|Rate exceeded|Ingestion rate limit exceeded for user|[Pp]er[- ]stream rate limit exceeded|Maximum active stream limit exceeded|the request has been rejected because the tenant exceeded",
            says="a service throttles a program",
            sample="CosmosException : Response status code does not indicate success: TooManyRequests (429); Substatus: 3200; Request rate is large. More Request Units may be needed",
            near_miss="status code 200",
            weight=TYPICAL,
            unless=r"(?i)registry|pull|manifests/|docker\.io|azurecr|vault|management\.azure|acme|letsencrypt|apiserver|flowcontrol|eviction|openai\.azure|subscriptions/|kubernetes|\barm\b|azure-cli|throttled by arm",
            common=True,
        ),
    ),
    why="The service answered, and refused more: the throughput that was bought (request units, messaging units), a limit per client or an abuse protection is reached. Retrying at once makes it worse; pods that were scaled out share the same limit.",
    remedy=(
        Step(
            "Read which service and limit the message names.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Raise its throughput, spread or cache the calls, and retry with a growing delay that honours Retry-After.",
            risk=Risk.SAFE,
            verify="the log has no new 429",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/",),
    leads_to=(
        "kubernetes.log_shipping_fails",
        "kubernetes.program_fails",
    ),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
    vague=True,
)
