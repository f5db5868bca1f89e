from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Two writers change a network resource at once, so Azure refuses the later one (etag mismatch)",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"\bPreconditionFailedEtagMismatch\b|Etag provided in if-match header .{0,200}?does not match|\bCanceledAndSupersededDueToAnotherOperation\b|Operation was canceled\. .{0,40}?superseded",
            says="another writer changed the resource in between",
            sample='{"error":{"code":"PreconditionFailed","details":[{"code":"PreconditionFailedEtagMismatch","message":"Etag provided in if-match header W/1 does not match etag W/2 of resource /x in NRP data store."}]}}',
            near_miss="Etag provided in if-match header was accepted",
            weight=TYPICAL,
        ),
    ),
    why="Each write of a load balancer, address or security group carries the version that was read. Something else changed the resource in between: another controller, a pipeline, a policy remediation. The cloud provider tries again; when it goes on for long, something writes all the time.",
    remedy=(
        Step(
            "See who writes the resource.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "-g",
                "{node_resource_group}",
                "--offset",
                "1d",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Wait for the next attempt; stop the other writer if it goes on.",
            verify="kubectl describe service: EnsuredLoadBalancer",
        ),
    ),
    leads_to=("kubernetes.load_balancer_fails",),
    docs=("https://cloud-provider-azure.sigs.k8s.io/topics/loadbalancer/",),
    ask="az monitor activity-log list -g {node_resource_group} --offset 1d -o table",
)
