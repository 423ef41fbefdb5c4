import Foundation

/// How a notice is pushed: what it is about, whether it waits, and until when it is of use.
struct PushTerms: Sendable, Equatable {
    let kind: NoticeKind
    /// Somebody waits for it now: it goes through quiet hours, and is never put into a digest.
    let isUrgent: Bool
    let expiresAt: Date

    /// - Parameter at: the time of the change.
    init(_ topic: InboxTopic, _ arguments: [String: TextArgument], at: Date) {
        kind = NoticeKind(topic)
        isUrgent = Self.urgent.contains(topic)
        expiresAt = at.addingTimeInterval(Self.seconds(topic, kind, arguments))
    }

    private static let urgent: Set<InboxTopic> = [
        .orderRequested, .orderOffered, .orderForYou, .mealRequested, .orderAccepted, .orderPending, .orderPickUpAsked,
        .orderOnTheWay, .orderNearby, .orderArrived, .orderWaitsForYou, .orderPaid, .orderPaidInCash, .orderConfirm,
        .orderCancelledOnTheWay, .orderLost, .mealOnTheWay, .mealCourierArrived, .mealReady, .dropOffOnTheWay,
        .dropOffConfirm, .hireReady, .paymentNeedsOwner, .paymentUnattendedLast, .seriesPriceLast,
        .callRinging, .callMissed,
    ]

    /// An offer lives as long as its window, which its words name.
    private static func seconds(
        _ topic: InboxTopic, _ kind: NoticeKind, _ arguments: [String: TextArgument]
    ) -> Double {
        switch (topic, arguments["seconds"], arguments["minutes"]) {
        case (.orderForYou, .number(let seconds)?, _), (.callRinging, .number(let seconds)?, _): Double(seconds)
        case (.orderRequested, _, .number(let minutes)?), (.orderOffered, _, .number(let minutes)?),
            (.mealRequested, _, .number(let minutes)?), (.orderAccepted, _, .number(let minutes)?):
            Double(minutes) * 60
        case (.orderNearby, _, _), (.orderArrived, _, _), (.orderWaitsForYou, _, _): 900
        default: urgent.contains(topic) ? 3_600 : kind.isLocked ? 3 * 86_400 : 86_400
        }
    }
}
