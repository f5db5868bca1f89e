from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Crossplane package cannot be installed: a dependency is missing or unfit, or another package owns its kinds",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)cannot resolve package dependencies|(?:missing|incompatible) dependencies: \[? ?\"?(?P<package>[\w./-]+/[\w./:-]+)|cannot establish control of object: (?P<object>\S{1,200})|is already controlled by ProviderRevision (?P<owner>[\w.-]+)|cannot unpack package: |\bUnknownPackageRevisionHealth\b.{0,80}?cannot|dependency constraints? .{0,40}?(?:not satisfied|cannot be satisfied)",
            says="the package cannot be installed[: {package} is missing or unfit][: {object} has another owner][, {owner}]",
            sample="cannot resolve package dependencies: missing dependencies: [xpkg.upbound.io/upbound/provider-family-azure]",
            near_miss="resolved package dependencies: [xpkg.upbound.io/upbound/provider-family-azure]",
            weight=TYPICAL,
        ),
    ),
    why="A provider for one service depends on the family provider (provider-family-azure), which brings ProviderConfig. Crossplane installs it by itself unless dependency resolution is skipped, the registry cannot be reached or refuses, or a family provider of another source or version stands in the lock already; two packages with the same kinds contend for them, and the second stays unhealthy.",
    remedy=(
        Step(
            "See which packages and revisions there are, and what each says.",
            run=(
                "kubectl",
                "get",
                "providers.pkg.crossplane.io,providerrevisions.pkg.crossplane.io",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Install the package that is missing in a version that the constraint allows, all of one family from one registry; delete a provider that brings the same kinds twice.",
            verify="kubectl get providers.pkg.crossplane.io wants HEALTHY True",
        ),
    ),
    docs=("https://docs.crossplane.io/latest/packages/providers/",),
    ask="kubectl describe providerrevisions.pkg.crossplane.io",
)
