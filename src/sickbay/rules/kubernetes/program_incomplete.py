from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The image lacks a part of the program: a module, class, library or start file is not found",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Error: Cannot find module '(?P<module>[^']{1,200})'|Cannot find (?:package|module) '(?P<package>[^']{1,200})' imported from|ERR_MODULE_NOT_FOUND|(?:ModuleNotFoundError|ImportError): No module named '?(?P<python>[\w.]{1,100})|Could not find or load main class (?P<main>[\w.$]{1,200})|java\.lang\.(?:ClassNotFoundException|NoClassDefFoundError): (?P<class>[\w.$/]{1,200})|(?:Unable to access|Invalid or corrupt) jarfile (?P<jar>\S{1,200})|Could not load file or assembly '(?P<assembly>[^',]{1,200})|The application '(?P<dll>[^']{1,200}\.dll)' does not exist|The command could not be loaded, possibly because|symbol lookup error: .{1,200}?undefined symbol: |Error loading shared library |error while loading shared libraries: (?P<library>[\w.+-]{1,100}): cannot open shared object|ImportError: (?P<shared>[\w.+-]{1,100}\.so[\w.]{0,20}): cannot open shared object|cannot load such file -- (?P<ruby>[\w./-]{1,120})|npm ERR! (?:[mM]issing script|enoent ENOENT.{0,100}?package\.json)|npm error (?:Missing script|enoent)|Error loading ASGI app|gunicorn\.errors\.(?:AppImportError|HaltServer)|can't open file '(?P<script>[^']{1,200})': \[Errno 2\]|Could not open input file: (?P<php>\S{1,200})|Couldn't find a valid ICU package|Could not find \S{1,100} in (?:any of the sources|locally installed gems)|Bundler::GemNotFound|Failed opening required '(?P<required>[^']{1,200})'|Composer detected issues in your platform|no main manifest attribute, in (?P<manifest>\S{1,200})|Missing required extension|could not find driver|executable .{1,100}? does not exist, and no \S+ found|unknown time zone \w+/\w+|failed to load system roots and no roots provided|Error relocating \S{1,200}: \S{1,80}: symbol not found|Error opening zip file or JAR manifest missing|DllNotFoundException: Unable to load shared library '(?P<native>[^']{1,100})|Neither \$JAVA_MAIN_CLASS nor \$JAVA_APP_JAR is set",
            says="a part of the program is not in its image",
            sample="Error: Cannot find module '/usr/src/app/server.js'",
            near_miss="loaded module '/usr/src/app/server.js'",
            unless=r"(?i)Import-Module ?:|libcuda\.so|[\\/]knack[\\/]cli\.py|azure\.cli|azext_|cliextensions|\.azure/|az: error|Azure CLI|site-packages/azure/cli|connectivity to Arc-enabled cluster",
            common=True,
        ),
    ),
    why="The program begins and does not find a file of its own: a dependency that the build did not install, a start file under another path or working directory, or a volume that is mounted over the folder of the program and hides it.",
    remedy=(
        Step(
            "Look into the image, without the volumes of the pod.",
            run=(
                "kubectl",
                "debug",
                "{pod}",
                "-n",
                "{namespace}",
                "-it",
                "--image=<image>",
                "--copy-to=<name>",
                "--",
                "sh",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Correct the build (copy and install steps), the command and working directory, or the mount path that hides the files, and push a new tag.",
            risk=Risk.DISRUPTIVE,
            verify="the restart count of the pod stands still",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
