from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A field is changed that cannot change: the object must be made anew (field is immutable)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?P<kind>[A-Z]\w+)(?:\.[\w.]+)? \"(?P<object>[\w.:-]+)\" is invalid: (?P<field>[\w.\[\]\"/-]{3,120}): (?:Invalid value: .{1,600}?: )?(?:Forbidden: )?field is immutable",
            says="{kind} {object} would change {field}, which cannot change",
            sample='Error: UPGRADE FAILED: cannot patch "web" with kind Deployment: Deployment.apps "web" is invalid: spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"web"}}: field is immutable',
            near_miss='Deployment.apps "web" is invalid: spec.template.spec.containers[0].image: Required value',
        ),
        Signature(
            pattern=r"\w: field is immutable|\w field is immutable\. Please create (?:a )?new resource|Job\.batch \"[\w.:-]+\" is invalid: spec\.template: Invalid value: |is invalid: spec\.selector: Invalid value: &?v1\.LabelSelector|updates to statefulset spec for fields other than|Forbidden: (?:may not be changed|updates to .{3,80}? are forbidden|pod updates may not change fields other than|(?:spec )?is immutable after creation)|may not change once set|cannot change roleRef",
            says="a field would change that cannot change",
            sample="The StatefulSet \"pg\" is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy' and 'minReadySeconds' are forbidden",
            near_miss="statefulset.apps/pg configured",
            unless=r"azure\.com",
        ),
    ),
    why="Some fields are set once: the selector of a Deployment or DaemonSet, most of a StatefulSet, the template of a Job, the clusterIP of a Service, the class and size downwards of a claim, the roleRef of a binding. A change of one is refused, and with it the whole upgrade.",
    remedy=(
        Step("See the difference.", run=("kubectl", "diff", "-f", "<manifest>"), risk=Risk.READ),
        Step(
            "Put the old value back; or delete the object (with --cascade=orphan its pods stay) and apply it anew.",
            run=(
                "kubectl",
                "delete",
                "<kind>",
                "<name>",
                "-n",
                "{namespace}",
                "--cascade=orphan",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the manifest is applied",
        ),
        Step(
            "With Argo CD: the sync option Replace=true; with Flux: spec.force; with Helm: uninstall and install, or a new name."
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/workloads/controllers/deployment/",),
    leads_to=(
        "kubernetes.object_invalid",
        "kubernetes.release_gave_up",
    ),
    ask="kubectl diff -f <manifest>",
)
