from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The ingress controller refuses its new configuration and keeps the old one",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"Unexpected failure reloading the backend|nginx: configuration file \S{1,200} test failed|Error reloading NGINX|nginx: \[emerg\] (?P<fault>.{3,200}?) in /|requeuing \S{1,200}, err (?:-+ )?Error: exit status 1",
            says="NGINX does not accept the configuration that was made for it",
            sample='nginx: [emerg] unknown directive "proxy_foo" in /tmp/nginx/nginx-cfg2343:512 nginx: configuration file /tmp/nginx/nginx-cfg2343 test failed',
            near_miss="Backend successfully reloaded, syntax is ok",
            unless=r"host not found in upstream|\(13: Permission denied\)|\(98: ",
            ended_by=r"Backend successfully reloaded",
        ),
    ),
    why="The controller writes one configuration from all ingresses and its own settings. An invalid snippet, annotation or setting in any of them makes the test of the whole fail; the old configuration stays, so that later changes of every ingress have no effect.",
    remedy=(
        Step(
            "Find the ingress or setting that holds the words which the message names.",
            run=("kubectl", "get", "ingress", "-A", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Correct or remove the annotation, snippet or setting.",
            risk=Risk.DISRUPTIVE,
            verify="the log of the controller says: Backend successfully reloaded",
        ),
        Step(
            "Let the admission webhook of the controller refuse such ingresses before they are stored."
        ),
    ),
    docs=("https://kubernetes.github.io/ingress-nginx/troubleshooting/",),
    ask="kubectl get ingress -A -o yaml",
)
