/// What several workflows have in common.
extension Workflow {
    /// Of an order that is paid before anybody is asked.
    ///
    /// - Parameters:
    ///   - window: what it waits for once it is paid.
    ///   - effects: what else follows then, with its news.
    ///   - last: what else follows when it ends before it is paid.
    static func paidFirst(
        then window: OrderWindow, telling effects: [OrderEffect], ending last: [OrderEffect] = []
    ) -> [Row] {
        [
            Row(
                .pending, .paymentHeld, by: [.system], when: .always, to: .requested,
                effects: [.ends(.payment), .waits(window)] + effects),
            Row(
                .pending, .cancel, by: [.customer, .admin], when: .always, to: .cancelled,
                effects: [.ends(.payment)] + last + [.tells(.cancelled)]),
            Row(
                .pending, .paymentWindowOver, by: [.system], when: .always, to: .expired,
                effects: [.ends(.payment)] + last + [.because("payment-window-over"), .tells(.expired)]),
            // The news that it was held comes later, or never.
            Row(
                .pending, .paymentReleased, by: [.system], when: .always, to: .cancelled,
                effects: [.ends(.payment)] + last + [.because("payment-lost"), .tells(.cancelled)]),
        ]
    }

    /// A reported order waits for an admin's decision, however long that takes. The wallet may hear of it first.
    static let decided: [Row] = [
        Row(
            .disputed, .decideForProvider, by: [.admin], to: .completed,
            .ends(.decision), .because("report-decided"), .tells(.completed)),
        Row(
            .disputed, .decideForCustomer, by: [.admin], to: .cancelled,
            .ends(.decision), .because("report-decided"), .tells(.cancelled)),
        Row(
            .disputed, .decisionWindowOver, by: [.system], to: .disputed,
            .ends(.decision), .waits(.decision), .tells(.undecided)),
        Row(.disputed, .paymentCaptured, by: [.system], to: .disputed, .tells(.paymentChanged)),
        Row(.disputed, .paymentReleased, by: [.system], to: .disputed, .tells(.paymentChanged)),
        Row(.disputed, .depositEnded, by: [.system], when: .withDeposit, to: .disputed, .tells(.paymentChanged)),
    ]

    /// Only the money still moves.
    static let settled: [Row] = [
        Row(.completed, .paymentCaptured, by: [.system], to: .completed, .tells(.paymentChanged)),
        Row(.completed, .paymentReleased, by: [.system], to: .completed, .tells(.paymentChanged)),
        Row(.completed, .depositEnded, by: [.system], when: .withDeposit, to: .completed, .tells(.paymentChanged)),
        Row(.cancelled, .paymentReleased, by: [.system], to: .cancelled, .tells(.paymentChanged)),
        Row(.cancelled, .depositEnded, by: [.system], when: .withDeposit, to: .cancelled, .tells(.paymentChanged)),
        Row(.refused, .paymentReleased, by: [.system], to: .refused, .tells(.paymentChanged)),
        Row(.expired, .paymentReleased, by: [.system], to: .expired, .tells(.paymentChanged)),
    ]
}
