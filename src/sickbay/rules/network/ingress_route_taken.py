from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Host and path of an ingress are already served by another ingress",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"All hosts are taken by other resources|host \"?(?P<host>[\w.*-]+)\"? and path \"?(?P<path>[^ \"]{1,200})\"? is already defined in ingress (?P<ingress>[\w./-]+)",
            says="{host}{path} is already defined in {ingress}",
            sample='admission webhook "validate.nginx.ingress.kubernetes.io" denied the request: host "shop.example.com" and path "/" is already defined in ingress shop/other',
            near_miss='host "shop.example.com" and path "/" was added',
        ),
    ),
    why="The ingress controller takes each pair of host and path once. Another ingress, often in another namespace or left by an earlier release, has it, and the later one is refused.",
    remedy=(
        Step(
            "List the ingresses with their hosts.",
            run=(
                "kubectl",
                "get",
                "ingress",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove the other one, or choose another host or path.",
            verify="the ingress is admitted",
        ),
    ),
    leads_to=("kubernetes.webhook_denied",),
    docs=(
        "https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/",
    ),
    ask="kubectl get ingress -A",
)
