from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A chart or kustomization cannot be rendered, so nothing is applied",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)execution error at \((?P<template>[^)]{3,200})\): (?P<fault>.{3,200})|template: (?P<file>[\w./-]+):\d+:\d+: executing|(?:failed to |error )parsing?(?: template)? .{0,80}?template:|values don't meet the specifications of the schema|Manifest generation error|YAML parse error on (?P<yaml>[\w./-]+)|MalformedYAMLError|kustomize build .{0,200}?failed|may not add resource with an already registered id|Error: \S{1,200}: id '[^']{3,200}' already used|accumulating resources: accumulat|parse error at \([^)]{3,200}\)|nil pointer evaluating interface|failed to find unique target for patch|failed to execute go template|error generating (?:application|params) from |ApplicationGenerationFromParamsError|Error: (?:INSTALLATION FAILED: |UPGRADE FAILED: )?no objects visited|desc = Failed to unmarshal |(?:INSTALLATION|UPGRADE) FAILED: (?:error converting YAML to JSON|yaml: )|error while running post render on files",
            says="a chart or kustomization could not be rendered",
            sample="Error: INSTALLATION FAILED: execution error at (web/templates/deployment.yaml:12:10): image.tag is required",
            near_miss="Error: INSTALLATION FAILED: timed out waiting for the condition",
            unless=r"azure-k8s-flux|azure-arc-k8sagents|kustomize build failed:|[Ff]ailed to unmarshal secrets|rotate objects",
            passes=True,
        ),
    ),
    why="Helm or Kustomize makes the manifests before anything reaches the cluster. A value is missing or of the wrong type, a template or path is wrong, or the versions of chart and values do not fit; the message names file and line.",
    remedy=(
        Step(
            "Render it by hand with the same values.",
            run=("helm", "template", "<chart>", "--values", "<values>", "--debug"),
            risk=Risk.READ,
        ),
        Step(
            "Set the missing value, or correct the template at the line that is named.",
            verify="helm template renders without an error",
        ),
    ),
    docs=("https://helm.sh/docs/chart_template_guide/debugging/",),
    ask="helm template <chart> --values <values> --debug",
    leads_to=("kubernetes.release_gave_up",),
)
