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
}
