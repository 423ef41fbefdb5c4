/// The channels by which an account accepts optional notices. Links, codes and warnings about the account are sent in
/// any case.
struct NoticeChoices: Hashable, Sendable {
    var mail = true
    var sms = true
    var push = true

    /// The channels that are switched off; nil when all are on.
    var muted: [String]? {
        let muted = [("mail", mail), ("sms", sms), ("push", push)].filter { !$0.1 }.map(\.0)
        return muted.isEmpty ? nil : muted
    }
}
