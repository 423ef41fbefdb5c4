/// How a sandbox is set up.
struct SandboxSettings: Sendable, Equatable {
    var host = "127.0.0.1"
    /// 0 takes a free one.
    var port = 0
    /// What callers of the payment provider authenticate with.
    var apiKey = "sk_test_sandbox"
    /// Where the payment provider sends its events; nil keeps them.
    var webhookURL: String?
    var webhookSecret = "whsec_sandbox"
    /// Whom the issuer that plays Nafath knows.
    var nafathClient = TestIssuer.Client()
    /// How often each event is sent.
    var webhookCopies = 1
}
