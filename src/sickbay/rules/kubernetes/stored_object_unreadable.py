from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="One stored object does not fit the type that a controller reads, so the controller reads none of that kind",
    severity=Severity.ERROR,
    categories=(
        Category.WORKLOAD,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"failed to list \*(?P<type>[\w.]{3,100}): .{0,400}?(?:readUint32|ReadString|readUint64|ReadBool|ReadMap|unexpected character|cannot unmarshal)|failed to list .{0,120}?json: cannot unmarshal (?P<json>\w+) into Go",
            says="a list cannot be decoded[ ({type})]",
            sample='Failed to watch *v1alpha1.IngressRoute: failed to list *v1alpha1.IngressRoute: v1alpha1.IngressRouteList.Items: []v1alpha1.IngressRoute: Port: readUint32: unexpected character: , error found in #10 byte of ...|","port":"8080s"}]}]|...',
            near_miss="Failed to watch *v1.Pod: failed to list *v1.Pod: Unauthorized",
        ),
    ),
    why="A controller decodes the whole list of a kind at once. One object whose field has another type than the program knows (a word where a number belongs, written past a loose or older schema) makes the list unreadable, and with it every other object of that kind.",
    remedy=(
        Step(
            "Find the object by the piece of its text that the message shows.",
            run=(
                "kubectl",
                "get",
                "<kind>",
                "-A",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct or delete that object.",
            run=(
                "kubectl",
                "edit",
                "<kind>",
                "<name>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Bring the custom resource definitions to the version of the controller, so that such a value is refused.",
            risk=Risk.SAFE,
            verify="the controller logs no more failed lists",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/",
    ),
    leads_to=("kubernetes.caches_not_synced",),
    ask="kubectl logs {pod} -n {namespace} --tail=200",
)
