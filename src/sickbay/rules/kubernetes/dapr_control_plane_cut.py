from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Dapr sidecar does not start: it does not reach or trust the control plane of Dapr (sentry, operator)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"failed to retrieve the initial identity certificate|error establishing connection to sentry|error from sentry SignCertificate|error from authenticator CreateSignedWorkloadCert",
            says="the sidecar gets no certificate from sentry",
            sample='level=fatal msg="Fatal error from runtime: failed to retrieve the initial identity certificate: error establishing connection to sentry: context canceled: connection error: desc = \\"transport: authentication handshake failed: remote error: tls: no application protocol\\""',
            near_miss='level=info msg="Fetching initial identity certificate from dapr-sentry.dapr-system.svc.cluster.local:443"',
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"level=fatal msg=\"context deadline exceeded\" .{0,200}?scope=dapr\.runtime",
            says="the sidecar waited in vain for the operator of Dapr",
            sample='time="2023-09-25T07:25:53Z" level=fatal msg="context deadline exceeded" app_id=cart instance=cart-1 scope=dapr.runtime type=log ver=1.11.0',
            near_miss='time="2023-09-25T07:25:53Z" level=info msg="dapr initialized. Status: Running" app_id=cart instance=cart-1 scope=dapr.runtime type=log ver=1.11.0',
            weight=TYPICAL,
        ),
    ),
    why="Before it serves, daprd fetches a certificate from dapr-sentry and its components from dapr-operator, both in the namespace of Dapr. They do not run, a network policy or mesh keeps the sidecar from them (a sidecar of Istio answers with another protocol), the injector is of another version, or root and issuer certificate have expired (they last a year) or were made anew.",
    remedy=(
        Step(
            "See whether sentry, operator and placement run.",
            run=("kubectl", "get", "pods", "-n", "dapr-system", "-o", "wide"),
            risk=Risk.READ,
        ),
        Step(
            "Read what sentry says of the request, and of its certificates.",
            run=("kubectl", "logs", "-n", "dapr-system", "-l", "app=dapr-sentry", "--tail=100"),
            risk=Risk.READ,
        ),
        Step(
            "Renew expired certificates (dapr mtls renew-certificate -k), restart the control plane and then the programs, so that their sidecars are of its version.",
            run=("kubectl", "rollout", "restart", "deployment", "-n", "dapr-system"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {namespace} shows the pod ready",
        ),
    ),
    docs=(
        "https://docs.dapr.io/operations/security/mtls/",
        "https://docs.dapr.io/operations/troubleshooting/common_issues/",
    ),
    leads_to=("kubernetes.dapr_component_failed", "kubernetes.dapr_sidecar_silent"),
    ask="kubectl logs {pod} -n {namespace} -c daprd",
    vague=True,
)
