from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A machine does not have the hardware or firmware settings that Azure Local wants (AzStackHci_Hardware)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.NODES,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bHardware requirements not met\b(?:.{0,200}?AzStackHci_Hardware_Test_(?P<check>\w{3,90}))?",
            says="the hardware check failed[: {check}]",
            sample='"Message": "Hardware requirements not met. Review output and remediate.", "Results": [ { "Name": "AzStackHci_Hardware_Test_Processor_Instance_Property_VMMonitorModeExtensions"',
            near_miss='"Message": "Hardware requirements met.", "Results": []',
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)AzStackHci_Hardware_Test_(?P<check>\w{3,90}).{0,999}?Status\W{1,6}(?:FAILURE|CRITICAL|1)\b",
            says="the hardware check {check} failed",
            sample='"Name": "AzStackHci_Hardware_Test_Tpm_Version", "Title": "Test TPM", "Status": "FAILURE"',
            near_miss='"Name": "AzStackHci_Hardware_Test_Tpm_Version", "Title": "Test TPM", "Status": "SUCCESS"',
            weight=TYPICAL,
        ),
    ),
    why="The hardware validator compares every machine with what a release needs: virtualization extensions (VMMonitorModeExtensions, second level translation) and Secure Boot switched on in the firmware, a TPM 2.0, enough memory and disks, and the same parts in every machine. The name of the check says which one is missing.",
    remedy=(
        Step(
            "Read the results on the machine that the error names.",
            run=(
                "powershell",
                "-Command",
                "Invoke-AzStackHciHardwareValidation -PassThru | Where-Object Status -ne Succeeded",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See virtualization, Secure Boot and TPM.",
            run=(
                "powershell",
                "-Command",
                "Get-ComputerInfo -Property HyperV*,DeviceGuard*; Confirm-SecureBootUEFI; Get-Tpm",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Switch on in the firmware what is off, or replace the part; restart the machine and validate again.",
            risk=Risk.DISRUPTIVE,
            verify="the validation wants Azure Stack HCI Hardware Success",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-local/concepts/system-requirements-23h2",
        "https://learn.microsoft.com/azure/azure-local/manage/use-environment-checker",
    ),
    leads_to=("hybrid.deployment_validation", "hybrid.update_step_failed"),
    ask="powershell -Command Invoke-AzStackHciHardwareValidation -PassThru",
)
