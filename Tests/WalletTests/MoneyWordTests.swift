import Contracts
import Foundation
import Testing

@testable import SeraiWallet

@Suite("W1, P3: words for money")
struct MoneyWordTests {
    private static let languages = ["en", "ar"]

    /// Whether a person can read it: it is there, in each language, and is no slug.
    private static func isWords(_ text: LocalizedText?, _ slug: String) -> Bool {
        languages.allSatisfy { language in
            let words = text?.texts[language] ?? ""
            return !words.isEmpty && words != slug
        }
    }

    @Test("W1, P3: every reason, state and method of money has words in each language, in answers and files")
    func closed() {
        for reason in MoneyReason.allCases { #expect(Self.isWords(reason.words, reason.rawValue), "\(reason)") }
        for method in PaymentMethod.allCases { #expect(Self.isWords(method.name, method.rawValue), "\(method)") }
        for state in TopUp.State.allCases { #expect(Self.isWords(state.name, state.rawValue), "\(state)") }
        for state in CashOut.State.allCases { #expect(Self.isWords(state.name, state.rawValue), "\(state)") }
        for state in Refund.State.allCases { #expect(Self.isWords(state.name, state.rawValue), "\(state)") }
        for funder in Refund.Funder.allCases { #expect(Self.isWords(funder.name, funder.rawValue), "\(funder)") }
        for state in PaymentState.allCases where PaymentSnapshot.State(rawValue: state.rawValue) != nil {
            #expect(Self.isWords(state.name, state.rawValue), "\(state)")
        }
        for state in PaymentState.allCases { #expect(Self.isWords(state.nameForAdmins, state.rawValue), "\(state)") }
        for state in FineState.allCases { #expect(Self.isWords(state.name, state.rawValue), "\(state)") }
        for kind in Dispute.Kind.allCases { #expect(Self.isWords(kind.name, kind.rawValue), "\(kind)") }
        for state in Dispute.State.allCases { #expect(Self.isWords(state.name, state.rawValue), "\(state)") }
        for kind in Approval.Kind.allCases { #expect(Self.isWords(kind.name, kind.rawValue), "\(kind)") }
        for state in Approval.State.allCases { #expect(Self.isWords(state.name, state.rawValue), "\(state)") }
        for state in Subscription.State.allCases { #expect(Self.isWords(state.name, state.rawValue), "\(state)") }
        for method in Subscription.Method.allCases { #expect(Self.isWords(method.name, method.rawValue), "\(method)") }
        let periods = ["monthly", "yearly"] + [1, 2, 3, 11, 100].flatMap { ["P\($0)D", "P\($0)W", "P\($0)M"] }
        for period in periods.compactMap(SubscriptionPlan.Period.init) {
            #expect(Self.isWords(period.name, period.rawValue), "\(period)")
        }
        for kind in Transfer.Kind.allCases { #expect(Self.isWords(kind.name, kind.rawValue), "\(kind)") }
        for kind in AccountReference.Kind.allCases { #expect(Self.isWords(kind.name, kind.rawValue), "\(kind)") }
        #expect(StatementWords.text(of: "The account is not yours", in: "en") == nil)
        #expect(StatementWords.reason("The account is not yours", in: "ar") == "The account is not yours")
    }

    @Test("W1, P3: every reason that the wallet's code writes is one of those")
    func written() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Services/Wallet")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var found: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /\b(?:reason|because)(?:: | = )"([a-z]+(?:-[a-z]+)*)"/) {
                found.insert(String(match.output.1))
            }
        }
        #expect(found.contains("written-off") && found.contains("given-up"), "\(found)")
        let known = Set(MoneyReason.allCases.map(\.rawValue))
        #expect(found.subtracting(known) == [])
        for obstacle in CashOut.Obstacle.allCases { #expect(known.contains(obstacle.rawValue), "\(obstacle)") }
    }
}
