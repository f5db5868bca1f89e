from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A manifest is not valid, so the API server refuses it",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?P<kind>[A-Z]\w+)(?:\.[\w.-]+)? \"(?P<object>[\w.:-]*)\" is invalid: (?P<fault>.{3,300})",
            says="{kind} {object} is refused: {fault}",
            sample='The Service "web" is invalid: spec.ports[0].port: Invalid value: 80000: must be between 1 and 65535, inclusive',
            near_miss="service/web configured",
            unless=r"dry-run|storedVersions|azure\.com|PodSecurityPolicy|Warning: unknown field|dnsZoneResourceIDs|provisioning gateway|generic_reconciler",
            passes=True,
        ),
        Signature(
            pattern=r"strict decoding error: .{3,200}|ReadString: expects .{3,160}|YAMLException: .{3,160}|error validating data: .{3,200}|cannot be handled as an? \w+: json: cannot unmarshal|cannot be handled as an? \w+: (?:quantities must match|unable to parse|parsing time|.{0,200}?illegal base64)|\bspec\.\w[\w.\[\]]{2,120} is a required parameter|(?:parsing|decoding|reading|loading|unmarshal\w*) .{0,120}?error converting YAML to JSON: .{3,160}|^(?:error: )?error converting YAML to JSON: .{3,160}|ValidationError\([\w.]{3,200}\): |resource name may not be empty|unable to decode \"[^\"]{0,300}\": (?:json: cannot unmarshal|parsing time|quantities must match)|does not contain declared merge key: |failed to create typed (?:patch|live) object .{3,300}?(?:field not declared in schema|expected \w{3,20}, got )|is invalid: (?:\[|\* )?(?:spec|metadata|data|rules|webhooks|roleRef)[\w.\[\]-]{0,200}: (?:Unsupported|Invalid|Required|Duplicate) value\b|unable to find api field in struct \w{2,80}|unable to convert unstructured object to [\w./]{1,100}, Kind=\w{1,80}: |^error: yaml: line \d+: (?:mapping values are not allowed|did not find expected|found character that cannot start|could not find expected|found unknown escape|block sequence entries are not allowed)|^error: map\[string\]interface \{\}\(nil\): yaml: unmarshal errors|cannot be handled as an? \w+: (?:only encoded map|\[pos )|unable to load .{3,200}?: illegal base64 data at input byte",
            says="a manifest does not fit the schema of its kind",
            sample='Error from server (BadRequest): error when creating "web.yaml": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.template.spec.containers[0].port"',
            near_miss="deployment.apps/web created (server dry run)",
            unless=r"failed to check CRD|dry-run|unexpected type: object|azure\.com|PodSecurityPolicy|Warning: unknown field|dnsZoneResourceIDs|provisioning gateway|generic_reconciler",
            passes=True,
        ),
    ),
    why="What was applied does not fit the schema or the rules of its kind: a required field is missing, a value is outside its range, the data of a Secret is not base64, a name holds forbidden characters, a field is misspelt or wrongly indented, or the CRD in the cluster is older than what sends the object (Helm does not upgrade CRDs). The message names the field.",
    remedy=(
        Step(
            "See what the field takes.",
            run=("kubectl", "explain", "<kind>", "--recursive"),
            risk=Risk.READ,
        ),
        Step(
            "Correct it, and try it without storing it.",
            run=("kubectl", "apply", "-f", "<manifest>", "--dry-run=server"),
            risk=Risk.READ,
            verify="the manifest is applied",
        ),
    ),
    docs=("https://kubernetes.io/docs/reference/kubectl/generated/kubectl_explain/",),
    ask="kubectl apply -f <manifest> --dry-run=server",
    leads_to=("kubernetes.release_gave_up",),
    wraps=True,
)
