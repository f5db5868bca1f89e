from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Linux management machine has a glibc that is too old for the arcappliance extension",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"version .{0,2}GLIBC_(?P<version>[\d.]+).{0,2} not found.{0,200}?(?:arcappliance|azext|\.azure/|arcsdk|cliextensions|kva)",
            says="GLIBC {version} is not there",
            sample="/lib64/libc.so.6: version `GLIBC_2.34' not found (required by /home/ops/.azure/cliextensions/arcappliance/azext_arcappliance/pkg/providers/kva//../../binaries/arcsdk.so)",
            near_miss="ldd (GNU libc) 2.39",
        ),
    ),
    why="The binary arcsdk.so of the extension needs GLIBC_2.34 or later. An older distribution cannot load it.",
    remedy=(
        Step(
            "See the version.",
            run=(
                "ssh",
                "localhost",
                "ldd",
                "--version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Use a machine with a newer distribution (glibc 2.34 or later) for the deployment.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/system-requirements",
    ),
)
