/// The settings of a sandbox.
struct SandboxSettings: Sendable, Equatable {
    var host = "127.0.0.1"
    /// 0 for a free port.
    var port = 0
    /// The key with which callers of the payment provider authenticate.
    var apiKey = "sk_test_sandbox"
    /// The key that apps of customers show: good for handing over a card or its CVV, and for nothing else.
    var publishableKey = "pk_test_sandbox"
    /// The URL for the payment provider's events; nil sends none.
    var webhookURL: String?
    var webhookSecret = "whsec_sandbox"
    /// The client of the OpenID Connect provider that plays Nafath.
    var nafathClient = TestIssuer.Client()
    /// The port of the mail server; 0 for a free one.
    var mailPort = 0
    /// Who may hand in mails.
    var mailUser = "serai"
    var mailPassword = "mail_sandbox"
    /// Where the certificate of the mail server is put for those who are to trust it; nil: nowhere.
    var mailCertificateFile: String?
    /// Who may hand in SMS.
    var smsAccount = "ACsandbox"
    var smsToken = "sms_sandbox"
    /// The number of copies that are sent of each event.
    var webhookCopies = 1
}
