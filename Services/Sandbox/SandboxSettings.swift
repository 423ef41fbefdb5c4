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
    /// The number of copies that are sent of each event.
    var webhookCopies = 1
}
