from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An image is refused: its signature is missing or not trusted (signature verification, Ratify, cosign)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"SignatureValidationFailed|A signature was required, but no signature exists|Subject failed verification: (?P<image>[\w./:@-]{3,300})|failed to verify image (?P<other>[\w./:@-]{3,300}): |no matching signatures|(?:image|artifact|manifest|notation|cosign|ratify|kyverno)\b.{0,200}?signature verification failed|signature verification failed.{0,160}?(?:\bimage\b|artifact|sha256:)|image signature validation failed|signature key validation failed|no signature is associated with|no signatures found for image|Unable to find signed digest for image|image verification failed for",
            says="the signature of an image is not accepted[: {image}][: {other}]",
            sample='Error creating: admission webhook "validation.gatekeeper.sh" denied the request: [ratify-constraint] Subject failed verification: contoso.azurecr.io/net-monitor@sha256:5c1f',
            near_miss='admission webhook "validation.gatekeeper.sh" denied the request: [k8sallowedrepos] container cart has an invalid image repo',
            unless=r"(?i)\bjwt\b|token|webhook-signature|\bkafka\b|apt|rpm|GPG|commit|AzureML",
        ),
    ),
    why="A policy on the cluster or node admits only images that a trusted key has signed. This one was not signed, was signed by another key or certificate, was built anew under the same tag, or the verifier may not read the signature in the registry.",
    remedy=(
        Step(
            "See which signatures the registry holds for the image.",
            run=(
                "az",
                "acr",
                "manifest",
                "list-referrers",
                "--registry",
                "<registry>",
                "--name",
                "<repository>@<digest>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Sign the image by its digest with the trusted key, or add its key or certificate to the policy.",
            risk=Risk.SAFE,
            verify="the pod is admitted and its image is pulled",
        ),
        Step(
            "Where a signature is there, give the verifier's identity AcrPull on the registry and Get on its certificate in the Key Vault."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/image-integrity",
        "https://learn.microsoft.com/azure/container-registry/container-registry-tutorial-verify-with-ratify-aks",
    ),
    leads_to=(
        "kubernetes.admission_denied",
        "kubernetes.webhook_denied",
    ),
    ask="kubectl get events -n {namespace} --field-selector type=Warning",
)
