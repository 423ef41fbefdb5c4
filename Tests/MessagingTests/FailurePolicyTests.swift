import Foundation
import Testing

@testable import Messaging

@Suite("FailurePolicy")
struct FailurePolicyTests {
    private struct Odd: Error {}

    @Test("failures are tried again until the limit, poison is not, and outages are not counted")
    func verdicts() {
        #expect(FailurePolicy.judge(Odd(), failedBefore: 0, limit: 3) == .retryLater(failedAttempts: 1))
        #expect(FailurePolicy.judge(Odd(), failedBefore: 1, limit: 3) == .retryLater(failedAttempts: 2))
        guard case .deadLetter(let reason) = FailurePolicy.judge(Odd(), failedBefore: 2, limit: 3) else {
            Issue.record("not a dead letter")
            return
        }
        #expect(reason.contains("failed 3 times"))
        #expect(
            FailurePolicy.judge(PoisonMessage("no such order"), failedBefore: 0, limit: 3)
                == .deadLetter(reason: "no such order"))
        #expect(FailurePolicy.judge(CancellationError(), failedBefore: 0, limit: 3) == .leave)
    }

    @Test("Q2: a name that nobody knows is not counted, and given up when its time is over")
    func unknown() {
        let error = UnknownName(name: "orders.order.archived.v1")
        for failures in [0, 2, 1_000] {
            #expect(FailurePolicy.judge(error, failedBefore: failures, limit: 3) == .delay)
        }
        let now = Date()
        func isGivenUp(_ since: Date?) -> Bool {
            FailurePolicy.isGivenUp(unknownSince: since, now: now, patience: .seconds(60))
        }
        #expect(!isGivenUp(nil) && !isGivenUp(now) && !isGivenUp(now - 59))
        #expect(isGivenUp(now - 60) && isGivenUp(.distantPast))
    }
}
