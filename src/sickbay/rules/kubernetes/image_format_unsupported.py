from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The image is of a format that the container runtime does not run (Docker schema 1, or no image at all)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"distribution\.manifest\.v1\+(?:prettyjws|json)|[Ss]chema 1 (?:image|manifest)s? .{0,40}?(?:no longer|not) supported|Docker Image Format v1.{0,80}?(?:not supported|removed|disabled)|(?:unexpected|unsupported|encountered unknown) (?:config )?media ?type:? \"?application/vnd\.(?P<kind>[\w.+-]+)|encountered unknown type (?:application/vnd\.|text/html)|could not find (?:a )?container image layers?|manifest .{0,80}?is not a (?:runnable|container) image",
            says="the manifest of the image is not one that containerd can run",
            sample='failed to pull and unpack image "contoso.azurecr.io/cart:1": media type "application/vnd.docker.distribution.manifest.v1+prettyjws" is no longer supported since containerd v2.1, please rebuild the image',
            near_miss='failed to pull image "contoso.azurecr.io/cart:1": application/vnd.docker.distribution.manifest.v2+json: not found',
        ),
    ),
    why="A registry keeps more than images: Docker's old schema 1, which containerd 2.1 and later refuse, and artefacts such as Helm charts, signatures or WebAssembly modules under the same kind of name. The runtime pulls only images of the OCI format or of Docker's schema 2.",
    remedy=(
        Step(
            "See what the tag is.",
            run=("docker", "buildx", "imagetools", "inspect", "<image>"),
            risk=Risk.READ,
        ),
        Step(
            "Build and push an old image anew with a present-day tool (or copy it with skopeo copy --format v2s2); for an artefact, name the image beside it in the pod.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=("https://github.com/containerd/containerd/blob/main/RELEASES.md#deprecated-features",),
    leads_to=("kubernetes.image_pull_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
