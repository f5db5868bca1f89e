from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The SCVMM account or VM network does not fit: library share, privileges or VLAN were refused",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"Validate(?P<what>InsufficientLibSharePermission|InsufficientPrivilege|VlanIDNotAvailableOnVMNetwork)|library share .{0,160}?(?:does not have enough space|write permission|access (?:is )?denied)",
            says="SCVMM validation failed: {what}",
            sample="KVAInvalidEntityCustomerError: ValidateInsufficientLibSharePermission: the user cannot write to \\\\vmm01\\MSSCVMMLibrary",
            near_miss="Validate passed: library share is writable",
        ),
    ),
    why="Validation of the SCVMM configuration names what does not fit: the account cannot write to the library share (ValidateInsufficientLibSharePermission), is no VMM administrator (ValidateInsufficientPrivilege), or the VLAN is not part of the VM network (ValidateVlanIDNotAvailableOnVMNetwork).",
    remedy=(
        Step(
            "Give the account write access to the library share and the administrator role in VMM, or choose a VLAN of the VM network.",
        ),
        Step(
            "Validate again.",
            run=(
                "az",
                "arcappliance",
                "validate",
                "scvmm",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/system-center-virtual-machine-manager/troubleshoot-scvmm",
    ),
)
