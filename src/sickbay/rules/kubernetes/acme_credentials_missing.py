from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="cert-manager has no credential for the DNS zone: the issuer names none and may not use an ambient one",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"error instantiating \w+ challenge solver: .{0,200}?(?:ClientID|access key|credentials?|tenantID|ambient).{0,120}?(?:not set|omitted|required|missing|not (?:enabled|allowed|provided|found))|neither .{0,6}--cluster-issuer-ambient-credentials.{0,10} nor .{0,6}--issuer-ambient-credentials.{0,10} are set|ClientID (?:is not set but neither|was omitted without providing)|perhaps you meant to enable ambient credentials",
            says="the solver of the issuer has no credential",
            sample="Error presenting challenge: error instantiating azuredns challenge solver: ClientID is not set but neither `--cluster-issuer-ambient-credentials` nor `--issuer-ambient-credentials` are set. These are necessary to enable Azure Managed Identities",
            near_miss="cert-manager/challenges: presented DNS01 challenge for domain shop.contoso.com",
        ),
    ),
    why="For DNS-01 cert-manager signs in to Azure DNS with what the issuer gives (client id, tenant and secret, or a managed identity), or with the identity of its own pod, the ambient one. An Issuer of a namespace may not use that by default, only a ClusterIssuer may; `--issuer-ambient-credentials` allows it to all. The issuer names no client id and the flag is off, so no challenge is presented.",
    remedy=(
        Step(
            "See which issuer the certificate uses, and what its solver names.",
            run=(
                "kubectl",
                "get",
                "issuers,clusterissuers",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Name the identity under azureDNS.managedIdentity.clientID, or make it a ClusterIssuer.",
        ),
        Step(
            "Or allow ambient credentials to every issuer, where all namespaces may be trusted with them: the argument --issuer-ambient-credentials of the controller.",
            run=(
                "kubectl",
                "edit",
                "deployment",
                "cert-manager",
                "-n",
                "cert-manager",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get challenges -A shows none that is left pending",
        ),
    ),
    docs=("https://cert-manager.io/docs/configuration/acme/dns01/azuredns/",),
    leads_to=("kubernetes.certificate_not_issued", "kubernetes.acme_challenge_fails"),
    ask="kubectl describe challenges -A",
)
