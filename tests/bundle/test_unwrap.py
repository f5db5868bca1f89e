"""Errors inside errors are found in every shape in which programs print them."""

import pytest

from sickbay.bundle.unwrap import layers

RESPONSE_BLOCK = """\
PUT https://management.azure.com/subscriptions/s/resourceGroups/g/providers/Microsoft.Cdn/profiles/p
--------------------------------------------------------------------------------
RESPONSE 409: 409 Conflict
ERROR CODE: OuterConflict
--------------------------------------------------------------------------------
{
  "error": {
    "code": "InnerConflict",
    "message": "Another operation is in progress."
  }
}
--------------------------------------------------------------------------------
"""

TERRAFORM_BOX = """\
╷
│ Error: creating Cluster: polling failed: the Azure API returned the following error:
│\x20
│ Status: "BadRequest"
│ Code: "K8sVersionNotSupported"
│ Message: "Managed cluster aks1 is on version 1.22.4,
│   which is not supported in this region."
│ Activity Id: ""
│\x20
│   with azurerm_kubernetes_cluster.main,
╵
"""

AZ_ERROR = """\
ERROR: (DeploymentFailed) At least one resource deployment operation failed.
Code: DeploymentFailed
Message: At least one resource deployment operation failed.
Target: /subscriptions/s/resourceGroups/g
Exception Details:\t(QuotaExceeded) Operation results in exceeding quota.
\tCode: QuotaExceeded
\tMessage: Operation results in exceeding quota.
"""

GATEKEEPER = '{"kind":"Status","status":"Failure","message":"pods \\"x\\" is forbidden",'
STATUS_DUMP = (
    '&errors.StatusError{ErrStatus:v1.Status{TypeMeta:v1.TypeMeta{Kind:"", APIVersion:""},'
    ' Status:"Failure", Message:"pods \\"x\\" is forbidden", Reason:"Forbidden",'
    " Details:(*v1.StatusDetails)(0xc000abc), Code:403}}"
)
CSE = (
    "VM has reported a failure when processing extension 'vmssCSE'. Error message: \"Enable"
    " failed: failed to execute command: command terminated with exit status=1\n[stdout]\n"
    '{ "ExitCode": "50", "Output": "nc: connect to mcr.microsoft.com port 443 (tcp) failed",'
    ' "Error": "", "ExecDuration": "155"}\n\n[stderr]\n"'
)
ASO = (
    "Reason: AuthorizationFailed, Severity: Warning, RetryClassification: RetrySlow, Cause: "
    "The client 'c' does not have authorization."
)
HTML = (
    "<html><head><title>503 Service Unavailable</title><style>p{}</style></head>"
    "<body><h1>Our services aren&#39;t available right now</h1>&lt;ref&gt;</body></html>"
)
XML = (
    '<?xml version="1.0" encoding="utf-8"?><Error><Code>AuthorizationFailure</Code>'
    "<Message>This request is not authorized.\nRequestId:1</Message></Error>"
)

SHAPES = {
    "enveloped": (
        '{"error":{"code":"AuthorizationFailed","message":"The client has no access."}}',
        "AuthorizationFailed: The client has no access.",
    ),
    "flat": (
        '{"code":"GetVnetError","message":"Get network failed.","details":null,"subcode":""}',
        "GetVnetError: Get network failed.",
    ),
    "asynchronous operation": (
        '{"status":"Failed","error":{"code":"PartialSuccess","message":"Only some devices."}}',
        "PartialSuccess: Only some devices.",
    ),
    "wrapped once more": (
        '{"ErrorResponse":{"error":{"code":"NotFound","message":"No such network."}}}',
        "NotFound: No such network.",
    ),
    "odata message": (
        '{"odata.error":{"code":"Request_Bad","message":{"lang":"en","value":"Bad request."}}}',
        "Request_Bad: Bad request.",
    ),
    "inner error": (
        '{"error":{"code":"A","message":"outer","innererror":{"code":"B","message":"inner"}}}',
        "B: inner",
    ),
    "inner error without a message": (
        'Status=403 Code="Forbidden" Message="No permission" InnerError={"code":"AccessDenied"}',
        "AccessDenied",
    ),
    "prose around an object": (
        'Failed. Status: \'429\'. Response: \'{"error":{"code":"429","message":"Retry"}}\'.\'.',
        "429: Retry",
    ),
    "escaped object without its outer quotes": (
        'failed: {\\"error\\":{\\"code\\":\\"X1\\",\\"message\\":\\"said \\\\\\"no\\\\\\"\\"}}',
        'X1: said "no"',
    ),
    "unicode escapes": (
        "failed: {\\u0022code\\u0022:\\u0022SkuNotAvailable\\u0022,"
        "\\u0022message\\u0022:\\u0022No.\\u0022}",
        "SkuNotAvailable: No.",
    ),
    "quotes doubled by an export": (
        '"x","{""error"":{""code"":""SubnetIsFull"",'
        '""message"":""The subnet """"a"""" is full.""}}"',
        'SubnetIsFull: The subnet "a" is full.',
    ),
    "python literal": (
        "ERROR: {'code': 'InvalidParameter', 'message': \"It's wrong\", 'details': None}",
        "InvalidParameter: It's wrong",
    ),
    "javascript object": (
        'StatusCode: 429\n{ message: "Number of read requests exceeded the limit." }',
        "Number of read requests exceeded the limit.",
    ),
    "sentence in braces": (
        'StatusCode=409\n{\n"Cannot delete load balancer kubernetes since it is in use"\n}',
        "Cannot delete load balancer kubernetes since it is in use",
    ),
    "go struct": ('{Code:"X42" Message:"Y is wrong" Details:[]}', "X42: Y is wrong"),
    "go struct without quotes": (
        "{Code:QuotaExceeded Message:It is too much, see https://aka.ms/q Details:[]}",
        "QuotaExceeded: It is too much, see https://aka.ms/q",
    ),
    "autorest": (
        'autorest/azure: Service returned an error. Status=404 Code="SecretNotFound" '
        'Message="A secret was not found."',
        "SecretNotFound: A secret was not found.",
    ),
    "autorest with details": (
        'Code="Missing" Message="Not registered." '
        'Details=[{"code":"Deep","message":"Register it."}]',
        "Deep: Register it.",
    ),
    "kubernetes status": (
        GATEKEEPER + '"reason":"Forbidden","code":403}',
        'Forbidden: pods "x" is forbidden',
    ),
    "kubernetes status as a dump": (STATUS_DUMP, 'Forbidden: pods "x" is forbidden'),
    "azcore": (RESPONSE_BLOCK, "InnerConflict: Another operation is in progress."),
    "az": (AZ_ERROR, "QuotaExceeded: Operation results in exceeding quota."),
    "terraform": (
        TERRAFORM_BOX,
        "K8sVersionNotSupported: Managed cluster aks1 is on version 1.22.4, which is not supported"
        " in this region.",
    ),
    "grpc": (
        "AttachVolume failed: rpc error: code = NotFound desc = volume is gone",
        "NotFound: volume is gone",
    ),
    "extension": (CSE, "ExitCode=50: nc: connect to mcr.microsoft.com port 443 (tcp) failed"),
    "extension error by name": (
        'Code="V" Message="CSE failed with \'VMExtensionError_OutboundConnFail\'. No way out."',
        "VMExtensionError_OutboundConnFail: No way out.",
    ),
    "container": (
        '{"terminated":{"exitCode":137,"reason":"OOMKilled","startedAt":"2026-01-01T00:00:00Z"}}',
        "OOMKilled: exit code 137",
    ),
    "service operator": (ASO, "AuthorizationFailed: The client 'c' does not have authorization."),
    "directory": (
        'Response body: {"error":"invalid_client",'
        '"error_description":"AADSTS7000222: The keys expired."}',
        "AADSTS7000222: The keys expired.",
    ),
    "page": (HTML, "503 Service Unavailable: Our services aren't available right now <ref>"),
    "storage": (XML, "AuthorizationFailure: This request is not authorized. RequestId:1"),
    "url-encoded": (
        "https://p/#error=%7B%22code%22%3A%22Denied%22%2C%22message%22%3A%22not%20you%22%7D end",
        "Denied: not you",
    ),
    "entities": (
        "{&quot;code&quot;:&quot;Busy&quot;,&quot;message&quot;:&quot;try later&quot;}",
        "Busy: try later",
    ),
    "underscores for quotes": (
        "{ _errorCode_: _UploadError_, _errorResponse_: _{\\n\\_message\\_: \\_404 Site Not Found",
        "404 Site Not Found",
    ),
    "code in front": (
        "NFNPBNniConfigError: Failed to process it",
        "NFNPBNniConfigError: Failed to process it",
    ),
    "tag in front": (
        "[AZK8S0513] Pods could not pull images.",
        "AZK8S0513: Pods could not pull images.",
    ),
    "log line of klog": (
        'E1115 22:34:13.6 1 r.go:387] "It failed" err="Get \\"https://x\\": EOF" name="n"',
        'Get "https://x": EOF',
    ),
    "log line of klog over lines": (
        'E1115 22:34:13.6 1 r.go:387] "It failed" err=<\n\tfirst line\n\tsecond line\n > name="n"',
        "first line second line",
    ),
    "log line in json": (
        '{"level":"error","ts":1.5,"msg":"It failed","error":"'
        + ASO
        + '","stacktrace":"main.go:1"}',
        "AuthorizationFailed: The client 'c' does not have authorization.",
    ),
    "log lines of a container": (
        "2026-01-01T00:00:00.1Z stdout F {\n"
        '2026-01-01T00:00:00.1Z stdout F  "code":"A1", "message":"m"\n'
        "2026-01-01T00:00:00.1Z stdout F }",
        "A1: m",
    ),
}


@pytest.mark.parametrize(("text", "expected"), SHAPES.values(), ids=SHAPES.keys())
def test_the_cause_is_found_in_every_shape(text: str, expected: str) -> None:
    assert expected in [layer.text for layer in layers(text) if layer.leaf]
