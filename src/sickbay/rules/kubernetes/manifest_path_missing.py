from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A file for kubectl, Helm or Kustomize does not exist at that path (manifest, values, kustomization)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"error: the path \"(?P<path>[^\"]{1,300})\" (?:does not exist|cannot be accessed)|error: unable to read URL \"(?P<url>[^\"]{3,300})\", server reported 40|error reading \[[^\]]{1,300}\]: recognized file extensions are|No manifest file\(s\) matching (?P<glob>\S{1,300}) was found|unable to find one of 'kustomization\.yaml'|Error: (?:INSTALLATION FAILED: |UPGRADE FAILED: )?open (?P<values>[^ :]{0,200}values[\w.-]{0,80}\.ya?ml|(?:/home/(?:vsts|runner)/|/github/|/builds/|[A-Z]:\\)[^ :]{1,300}\.(?:ya?ml|json|tpl)): (?:no such file or directory|The system cannot find)|is missing Chart\.yaml|no deployment manifests found",
            says="what is to be deployed is not found[: {path}][: {url}][: {glob}][: {values}]",
            sample='error: the path "k8s/deployment.yaml" does not exist',
            near_miss='error: error validating "k8s/deployment.yaml": error validating data: kind not set',
        ),
    ),
    why="The client reads its files before it asks the cluster for anything. The path counts from the working folder of the step: the repository was not checked out or the artifact not downloaded, the file has another name or case, or a variable in the path is empty. Nothing was changed.",
    remedy=(
        Step("List the files in the step that fails, just before the command.", risk=Risk.READ),
        Step(
            "Correct the path, or check out the repository and download the artifact before.",
            risk=Risk.SAFE,
            verify="the command finds its file",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/kubectl/generated/kubectl_apply/",
        "https://learn.microsoft.com/azure/devops/pipelines/tasks/reference/kubernetes-manifest-v1",
    ),
)
