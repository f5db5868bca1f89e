from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A CEL expression in operatorSpec cannot be compiled or evaluated",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r'failed to (?:compile|eval(?:uate)?) CEL expression: "?(?P<expression>[^"]{1,300})',
            says="the expression {expression} failed",
            sample="failed to compile CEL expression: \"self.status.idd\": ERROR: <input>:1:12: undefined field 'idd'",
            near_miss='compiled CEL expression: "self.status.id"',
        ),
    ),
    why="secretExpressions and configMapExpressions are CEL over self and secret that must yield a string or a map of strings. ASO could not compile the expression, or it failed on this object.",
    remedy=(
        Step(
            "Correct the expression {expression}: it may use self and secret, and a field that can be absent needs a test with has().",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/expressions/",),
    leads_to=("aso.additional_objects_refused", "aso.not_ready"),
    ask="kubectl get azure -n {namespace} -o yaml",
)
