from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program was built for a newer or other runtime or C library than its image has",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"UnsupportedClassVersionError: (?P<class>\S{1,200}) has been compiled by a more recent version|You must install or update \.NET to run this application|The framework \x27(?P<framework>Microsoft\.(?:NETCore|AspNetCore)\.App)\x27, version \x27(?P<wanted>[\d.]+)\x27.{0,60}? was not found|version `?\x27?(?P<symbol>GLIBC(?:XX)?_[\d.]+)\x27? not found|The engine \"node\" is incompatible with this module|SyntaxError: Unexpected token \x27?(?:\?\?=|\?|\.)\x27?|was compiled against a different Node\.js version|Module version mismatch\. Expected \d+, got \d+|requires (?:Python|a different Python)[:\x27 ]{1,3}[>=\d.]+ ?(?:not in|but)",
            says="the runtime in the image is older than the program wants",
            sample='Exception in thread "main" java.lang.UnsupportedClassVersionError: com/contoso/Main has been compiled by a more recent version of the Java Runtime (class file version 61.0)',
            near_miss='java version "17.0.2" 2022-01-18 LTS',
            unless=r"(?i)arcappliance|azure-cli|\.azure|cliextensions|azext|helm|kvacli|libpython",
        ),
    ),
    why="The program was compiled or linked on a machine with a newer Java, .NET, Node.js or C library than the base image of its final stage has, so that it cannot even be loaded.",
    remedy=(
        Step(
            "Use the same version, or the same distribution, for the build and for the base image, and push a new tag.",
            risk=Risk.DISRUPTIVE,
            verify="the restart count of the pod stands still",
        ),
    ),
    docs=("https://docs.docker.com/build/building/multi-stage/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
