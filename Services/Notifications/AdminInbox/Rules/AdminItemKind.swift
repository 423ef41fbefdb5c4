/// What waits for a market's admins. Its words are `waiting.<kind>` in the catalogues, and `waiting.<kind>.urgent`
/// where it has waited for too long.
enum AdminItemKind: String, Sendable, CaseIterable {
    /// A visit at the desk, without a partner; urgent where its time comes near.
    case visit
    /// The partner of a visit asks for another time.
    case time
    /// A report or a complaint about an order.
    case report
    case cashOut = "cash-out"
    /// An act on money that a second admin has to approve.
    case approval
    /// A charge that its card's owner disputes.
    case dispute
    /// A family that both have agreed to.
    case family
    /// A relative asks for an account to be removed.
    case removal
    /// Papers of a provider.
    case papers
    /// A medical profession that the market has no title for.
    case profession
    case inquiry
    case messageReport = "message-report"

    func textKey(isUrgent: Bool) -> String {
        "waiting.\(rawValue)" + (isUrgent && self == .visit ? ".urgent" : "")
    }
}
