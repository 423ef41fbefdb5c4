import Contracts

/// Why an order came to its end, for the party that did not end it.
extension OrderNotices {
    /// Whether there is more to say than that somebody declined.
    var isReasoned: Bool { order.reason.map { !$0.isEmpty && $0 != "declined" } ?? false }

    /// Whether a party's report has ended the order at once: nothing was paid, so no admin decides about money.
    var isReported: Bool {
        guard let reason = order.reason, let market else { return false }
        return market.reportReasons(of: order.by).contains { $0.id == reason }
    }

    /// One party has cancelled.
    var byOther: InboxTopic { isReasoned ? .orderCancelledByOtherBecause : .orderCancelledByOther }

    func parting(from party: OrderSnapshot.Party?) -> [String: TextArgument] {
        var arguments = ["name": TextArgument(party)]
        if isReasoned { arguments["reason"] = reason }
        return arguments
    }

    func refusal() throws -> Notice? {
        guard isReasoned else { return try toCustomer(isPaidFirst ? .orderRefusedAtDesk : .orderRefused) }
        return try toCustomer(isPaidFirst ? .orderRefusedAtDeskBecause : .orderRefusedBecause, ["reason": reason])
    }
}
