from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A variable that Kubernetes sets for a service (NAME_PORT=tcp://...) is taken for a setting of the program",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)(?:invalid (?:value|literal|port|number|integer|argument)|parsing|parse|convert|NumberFormatException|not a (?:valid )?(?:number|integer)|must be (?:a number|numeric|an integer)).{0,120}?\W(?:tcp|udp)://\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}:\d{1,5}|(?:tcp|udp)://\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}:\d{1,5}[\x22\x27)]{0,3} (?:is not a|is no|is invalid|cannot be|must be)|(?:tcp|udp)://\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}:\d{1,5}[\x22\x27]{1,2}: invalid syntax",
            says="a port is given as the address of a service",
            sample="Error: Invalid value for '--port': 'tcp://10.43.3.59:8000' is not a valid integer.",
            near_miss="WEB_PORT=tcp://10.43.3.59:8000",
            weight=TYPICAL,
            unless=r"(?i)listening|dial |connect|refused|timed? ?out|unreachable|docker",
        ),
    ),
    why="For each service of its namespace a pod gets variables such as WEB_PORT=tcp://10.0.0.1:80 (service links). A program that reads its own setting from a variable of that very name, because the service is called like the program, gets an address where it expects a number.",
    remedy=(
        Step(
            "See the variables that Kubernetes adds.",
            run=(
                "kubectl",
                "exec",
                "{pod}",
                "-n",
                "{namespace}",
                "--",
                "env",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Switch the links off (enableServiceLinks: false in the pod template), set the variable yourself, or give the service another name.",
            run=(
                "kubectl",
                "edit",
                "deployment",
                "<name>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the restart count of the pod stands still",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tutorials/services/connect-applications-service/#environment-variables",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl get services -n {namespace}",
)
