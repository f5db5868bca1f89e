from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cryptography of an image refuses an algorithm or key file (OpenSSL 3, FIPS, keystore password)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"digital envelope routines::?\w*:? ?(?:initialization error|unsupported)|ERR_OSSL_EVP_UNSUPPORTED|Keystore was tampered with, or password was incorrect|keystore password was incorrect|not allowed in FIPS|disabled for FIPS|unsupported:.{0,60}?Algorithm \(RC2",
            says="a key or algorithm is refused",
            sample="Error: error:0308010C:digital envelope routines::unsupported",
            near_miss="using openssl 3.0.13",
        ),
        Signature(
            pattern=r"Invalid keystore format|FIPS mode .{0,80}?(?:not|disabled|unsupported)|DerInputStream\.getLength\(\)|mac verify failure",
            says="a key file or algorithm is not accepted",
            sample="java.io.IOException: Invalid keystore format",
            near_miss="keystore /etc/tls/app.p12 loaded",
            weight=TYPICAL,
        ),
    ),
    why="OpenSSL 3 and FIPS mode no longer offer old algorithms (MD4, MD5, RC2, old PKCS#12), so that old Node.js builds, keystores and keys fail with `digital envelope routines::unsupported`. A keystore opened with a wrong password or of another type fails in the same place.",
    remedy=(
        Step(
            "Rebuild with a current runtime, or convert the keystore (openssl pkcs12 -legacy … -export) with the right password.",
            risk=Risk.DISRUPTIVE,
            verify="the program starts",
        ),
        Step(
            "For old Node.js builds NODE_OPTIONS=--openssl-legacy-provider is a stopgap.",
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
