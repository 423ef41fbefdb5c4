extension Workflow {
    /// A parcel that a carrier takes from one place to another, between private persons.
    ///
    /// It is paid before anybody sees it. Then it is on the board, and the first provider who takes it has it. With a
    /// deposit it is taken only once the wallet has locked the deposit; otherwise it returns to the board, for the rest
    /// of its time there. The owner confirms the pick-up and the delivery. If the carrier confirms the delivery first,
    /// the window confirms it for the owner.
    ///
    /// Cancelling is free until a carrier has taken it. Before the pick-up the owner may report that nobody came, and a
    /// carrier without a deposit may give the order back. Silence does neither, nor does the word of a carrier with a
    /// locked deposit, who may have the parcel: when such a carrier reports the pick-up or gives up, or when the time
    /// for the pick-up is over, the owner is asked. Without an answer an admin decides, with money and deposit frozen;
    /// so does a ban of either party, a lost role or a lost payment once the carrier may have the parcel.
    /// After the pick-up there is only the delivery or a decision: silence or a lost payment brings the order before an
    /// admin.
    static let parcel = Workflow(
        kind: "parcel", first: .pending, opening: [.waits(.payment), .tells(.pending)],
        rows: paidFirst(then: .search, telling: [.posts, .tells(.requested)]) + parcelOnBoard + parcelTaken
            + parcelInQuestion + parcelTravelling + parcelBans + decided + settled)

    private static let parcelOnBoard: [Row] = [
        Row(
            .requested, .take, by: [.provider], when: .withoutDeposit, to: .accepted,
            .ends(.search), .unposts, .takesProvider, .waits(.arrival), .tells(.accepted)),
        Row(
            .requested, .take, by: [.provider], when: .withDeposit, to: .accepted,
            .ends(.search), .unposts, .takesProvider, .waits(.deposit), .tells(.accepted)),
        Row(
            .requested, .cancel, by: [.customer, .admin], to: .cancelled,
            .ends(.search), .unposts, .tells(.cancelled)),
        Row(
            .requested, .searchWindowOver, by: [.system], to: .expired,
            .ends(.search), .unposts, .because("nobody-found"), .tells(.expired)),
        Row(
            .requested, .paymentReleased, by: [.system], to: .cancelled,
            .ends(.search), .unposts, .because("payment-lost"), .tells(.cancelled)),
    ]

    private static let parcelTaken: [Row] = [
        Row(
            .accepted, .depositLocked, by: [.system], when: .depositAwaited, to: .accepted,
            .ends(.deposit), .waits(.arrival), .tells(.deposited)),
        Row(
            .accepted, .depositRefused, by: [.system], when: .depositAwaited, to: .requested,
            .ends(.deposit), .losesProvider, .posts, .resumes(.search), .because("deposit-refused"), .tells(.reopened)),
        Row(
            .accepted, .depositWindowOver, by: [.system], when: .depositAwaited, to: .requested,
            .ends(.deposit), .losesProvider, .posts, .resumes(.search), .because("deposit-window-over"),
            .tells(.reopened)),
        Row(
            .accepted, .giveUp, by: [.provider], when: .withoutDeposit, to: .requested,
            .ends(.arrival), .losesProvider, .posts, .waits(.search), .tells(.reopened)),
        Row(
            .accepted, .giveUp, by: [.provider], when: .depositSettled, to: .arrived,
            .ends(.arrival), .waits(.confirmation), .tells(.arrived)),
        Row(
            .accepted, .missProvider, by: [.customer], when: .depositSettled, to: .requested,
            .ends(.arrival), .losesProvider, .posts, .waits(.search), .because("no-show"), .tells(.reopened)),
        // Neither party has reported the pick-up, and the carrier may have the parcel: the owner is asked.
        Row(
            .accepted, .arrivalWindowOver, by: [.system], when: .depositSettled, to: .arrived,
            .ends(.arrival), .waits(.confirmation), .tells(.arrived)),
        // The carrier reports to have the parcel.
        Row(
            .accepted, .start, by: [.provider], when: .depositSettled, to: .arrived,
            .ends(.arrival), .waits(.confirmation), .tells(.arrived)),
        Row(
            .accepted, .start, by: [.customer], when: .depositSettled, to: .inProgress,
            .ends(.arrival), .waits(.completion), .tells(.started)),
        Row(
            .accepted, .report, by: OrderActor.parties, when: .depositSettled, to: .disputed,
            .ends(.arrival), .waits(.decision), .tells(.disputed)),
        Row(
            .accepted, .paymentReleased, by: [.system], when: .depositSettled, to: .disputed,
            .ends(.arrival), .waits(.decision), .reports("payment-lost"), .tells(.disputed)),
        Row(
            .accepted, .paymentReleased, by: [.system], when: .depositAwaited, to: .cancelled,
            .ends(.deposit), .because("payment-lost"), .tells(.cancelled)),
    ]

    /// Rows for an order whose owner has to say whether the parcel was picked up.
    private static let parcelInQuestion: [Row] = [
        Row(
            .arrived, .start, by: [.customer], to: .inProgress,
            .ends(.confirmation), .waits(.completion), .tells(.started)),
        // The owner, too, says that the carrier does not have the parcel.
        Row(
            .arrived, .giveUp, by: [.customer], to: .requested,
            .ends(.confirmation), .losesProvider, .posts, .waits(.search), .tells(.reopened)),
        Row(
            .arrived, .missProvider, by: [.customer], to: .requested,
            .ends(.confirmation), .losesProvider, .posts, .waits(.search), .because("no-show"), .tells(.reopened)),
        Row(
            .arrived, .confirmationWindowOver, by: [.system], to: .disputed,
            .ends(.confirmation), .waits(.decision), .reports("pickup-unconfirmed"), .tells(.disputed)),
        Row(
            .arrived, .report, by: OrderActor.parties, to: .disputed,
            .ends(.confirmation), .waits(.decision), .tells(.disputed)),
        Row(
            .arrived, .paymentReleased, by: [.system], to: .disputed,
            .ends(.confirmation), .waits(.decision), .reports("payment-lost"), .tells(.disputed)),
    ]

    private static let parcelTravelling: [Row] = [
        Row(
            .inProgress, .complete, by: [.customer], when: .nobodyHasConfirmed, to: .completed,
            .ends(.completion), .tells(.completed)),
        Row(
            .inProgress, .complete, by: [.provider], when: .nobodyHasConfirmed, to: .inProgress,
            .ends(.completion), .waits(.confirmation), .tells(.confirmed)),
        Row(
            .inProgress, .complete, by: [.customer], when: .otherHasConfirmed, to: .completed,
            .ends(.confirmation), .tells(.completed)),
        Row(
            .inProgress, .confirmationWindowOver, by: [.system], when: .somebodyHasConfirmed, to: .completed,
            .ends(.confirmation), .because("confirmation-window-over"), .tells(.completed)),
        Row(
            .inProgress, .completionWindowOver, by: [.system], when: .nobodyHasConfirmed, to: .disputed,
            .ends(.completion), .waits(.decision), .reports("not-delivered"), .tells(.disputed)),
        Row(
            .inProgress, .report, by: OrderActor.parties, when: .nobodyHasConfirmed, to: .disputed,
            .ends(.completion), .waits(.decision), .tells(.disputed)),
        Row(
            .inProgress, .report, by: OrderActor.parties, when: .somebodyHasConfirmed, to: .disputed,
            .ends(.confirmation), .waits(.decision), .tells(.disputed)),
        Row(
            .inProgress, .paymentReleased, by: [.system], when: .nobodyHasConfirmed, to: .disputed,
            .ends(.completion), .waits(.decision), .reports("payment-lost"), .tells(.disputed)),
        Row(
            .inProgress, .paymentReleased, by: [.system], when: .somebodyHasConfirmed, to: .disputed,
            .ends(.confirmation), .waits(.decision), .reports("payment-lost"), .tells(.disputed)),
    ]

    private static let parcelBans: [Row] =
        [
            customerBan(in: .pending, ending: .payment), customerBan(in: .requested, ending: .search, .unposts),
            customerBan(in: .accepted, ending: .deposit, when: .depositAwaited),
            providerBan(in: .accepted, ending: .deposit, when: .depositAwaited, reopeningFor: .search, .posts),
        ]
        // The carrier may have the parcel from here on, though the owner has not said so.
        + banRowsInProgress(.accepted, ending: .arrival, when: .depositSettled)
        + banRowsInProgress(.arrived, ending: .confirmation)
        + banRowsInProgress(.inProgress, ending: .completion, when: .nobodyHasConfirmed)
        + banRowsInProgress(.inProgress, ending: .confirmation, when: .somebodyHasConfirmed)
}
