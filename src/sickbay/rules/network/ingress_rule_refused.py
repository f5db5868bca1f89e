from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ingress controller refuses an annotation or a path of an ingress (snippets, risky annotation, path type)",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Snippet directives are disabled by the Ingress administrator|annotation cannot be used\. |contains risky annotation|ingress contains invalid paths: (?P<path>.{3,160})|cannot be used with pathType|annotations? (?:group )?\S{0,80} ?contains (?:invalid|forbidden) (?:word|value)|invalid ingress annotations",
            says="an annotation or path is refused",
            sample='admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: ingress contains invalid paths: path /foo(/|$)(.*) cannot be used with pathType Prefix',
            near_miss="ingress contains the path /foo",
        ),
    ),
    why="Newer versions of ingress-nginx forbid snippets, annotations above the allowed risk level, and regular expressions in paths of type Prefix or Exact, unless its administrator allows them. The object is refused as a whole.",
    remedy=(
        Step(
            "Use pathType ImplementationSpecific for regular expressions, and replace snippets by the annotation that does the same."
        ),
        Step(
            "If it must be, allow it in the config map of the controller (allow-snippet-annotations, annotations-risk-level).",
            run=(
                "kubectl",
                "get",
                "configmap",
                "-n",
                "ingress-nginx",
                "ingress-nginx-controller",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
    ),
    leads_to=("kubernetes.webhook_denied",),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations-risk/",
    ),
    ask="kubectl get ingress -A -o yaml",
)
