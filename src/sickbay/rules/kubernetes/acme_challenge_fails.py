from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ACME server or cert-manager itself cannot fetch the proof of ownership (HTTP-01, DNS-01)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Waiting for (?P<type>HTTP|DNS)-01 challenge propagation: (?P<reason>.{0,200})|acme: authorization error for (?P<host>[\w.*-]+):|urn:ietf:params:acme:error:(?P<code>dns|connection|unauthorized|caa|tls|incorrectResponse)|Error accepting (?:challenge|authorization): |acme: authorization for identifier (?P<identifier>[\w.*-]+) is invalid|acme:error:malformed: No such (?:challenge|authorization|order)|wrong status code '(?P<status>\d+)', expected '200'|propagation check failed|did not get expected response when querying endpoint|could not reach 'http://\S{3,253}/\.well-known/acme-challenge|/\.well-known/acme-challenge/\S{1,200}: (?:dial tcp|EOF|http: server|tls:|x509|remote error|context deadline|net/http)",
            says="the challenge of a domain fails",
            sample="Waiting for HTTP-01 challenge propagation: wrong status code '404', expected '200'",
            near_miss="Presented challenge using HTTP-01 challenge mechanism",
            weight=TYPICAL,
            unless=r"rateLimited",
            passes=True,
            ended_by=r"certificate issued|[Cc]ertificate has been successfully issued|Domain \".{1,253}\" verified",
        ),
    ),
    why="HTTP-01 fetches http://<domain>/.well-known/acme-challenge/… from outside: the name must point to the ingress, port 80 be open, and the ingress class serve the solver. DNS-01 needs the right to write the zone, and time until the record is seen. CAA records can forbid the authority.",
    remedy=(
        Step(
            "See the challenge and its reason.",
            run=(
                "kubectl",
                "describe",
                "challenge",
                "-n",
                "{namespace}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "For HTTP-01: let DNS point to the ingress address, open port 80 without redirect by another service, and name the ingress class in the solver.",
            run=(
                "kubectl",
                "get",
                "ingress",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "For DNS-01: give the identity of cert-manager the role DNS Zone Contributor on the zone.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--role",
                "DNS Zone Contributor",
                "--assignee",
                "<client-id>",
                "--scope",
                "<zone-id>",
            ),
            verify="kubectl get certificate -n {namespace} wants READY True",
        ),
    ),
    docs=("https://cert-manager.io/docs/troubleshooting/acme/",),
    leads_to=(
        "kubernetes.certificate_not_issued",
        "network.name_resolution_fails",
        "network.connection_times_out",
    ),
    ask="kubectl get challenges -A -o json",
)
