/// By which ways an account wants to hear what need not be told. Links, codes and warnings about the account are sent
/// whatever is chosen.
struct NoticeChoices: Hashable, Sendable {
    var mail = true
    var sms = true
    var push = true

    /// The ways that are not wanted; nil for none.
    var muted: [String]? {
        let muted = [("mail", mail), ("sms", sms), ("push", push)].filter { !$0.1 }.map(\.0)
        return muted.isEmpty ? nil : muted
    }
}
