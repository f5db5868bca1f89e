from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The image name or tag does not exist in the registry (not found, manifest unknown)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r'failed to resolve reference "?(?P<image>[^" ]{1,300})"?: [^ ]{1,300}: not found|(?i:manifest unknown|manifest not found|name unknown: (?:The )?repository|MANIFEST_UNKNOWN|NAME_UNKNOWN)|manifest for (?P<other>[^ ]{1,300}) not found|repository does not exist or may require',
            says="the registry does not have the image[ {image}]",
            sample='Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = NotFound desc = failed to pull and unpack image "contoso.azurecr.io/cart:v9": failed to resolve reference "contoso.azurecr.io/cart:v9": contoso.azurecr.io/cart:v9: not found',
            near_miss='Failed to pull image "contoso.azurecr.io/cart:v9": failed to resolve reference "contoso.azurecr.io/cart:v9": failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized',
        ),
        Signature(
            # The end is often cut off, and the code of the answer says it before.
            pattern=r'code = NotFound desc = (?:failed to pull and unpack image|reading manifest) "?(?P<image>[^" ]{1,300})',
            says="the registry answers that it has no such image[: {image}]",
            sample='Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = NotFound desc = failed to pull and unpack image "contoso.azurecr.io/cart:v9": failed to resolve reference "contoso.azurecr.io/ca',
            near_miss='Failed to pull image "contoso.azurecr.io/cart:v9": rpc error: code = Unknown desc = failed to pull and unpack image "contoso.azurecr.io/cart:v9"',
            weight=TYPICAL,
            unless=r"no match for platform|(?i:unauthorized|forbidden|denied)",
        ),
        Signature(
            pattern=r'ErrImagePull: (?P<image>[^" ]{1,300}): not found|Back-off pulling image "(?P<name>[^" ]{1,300})": ErrImagePull: [^"]{0,400}?: not found',
            says="the registry does not have the image[ {image}]",
            sample='ImagePullBackOff: Back-off pulling image "contoso.azurecr.io/cart:v9": ErrImagePull: contoso.azurecr.io/cart:v9: not found',
            near_miss='ImagePullBackOff: Back-off pulling image "contoso.azurecr.io/cart:v9"',
        ),
    ),
    why="The registry answers, but has no manifest under this repository and tag or digest: a misspelled name, a tag that was never pushed, or a digest that was overwritten or purged.",
    remedy=(
        Step(
            "List the tags that the repository has.",
            run=(
                "az",
                "acr",
                "repository",
                "show-tags",
                "--name",
                "<registry>",
                "--repository",
                "<repository>",
                "--orderby",
                "time_desc",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the image in the workload, or push the tag that it names.",
            run=(
                "kubectl",
                "set",
                "image",
                "deployment/<deployment>",
                "<container>=<image>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pods -n {namespace} shows no ImagePullBackOff",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/connectivity/cannot-pull-image-from-acr-to-aks-cluster",
        "https://learn.microsoft.com/azure/container-registry/container-registry-troubleshoot-access",
    ),
    leads_to=("kubernetes.image_pull_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
