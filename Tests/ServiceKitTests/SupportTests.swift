import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Messaging
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

@Suite("A market's support reads")
struct SupportTests {
    private func caller(_ roles: [(String, String)], isReading: Bool) -> Caller {
        Caller(
            accountID: .timeOrdered(), sessionID: nil, roles: Set(roles.map { MarketRole(market: $0.0, role: $0.1) }),
            expires: .distantFuture, isReading: isReading)
    }

    @Test("I13: support is what an admin of its market is while it reads, nowhere else, and never of all markets")
    func reading() throws {
        let reader = caller([("assef", "support")], isReading: true)
        #expect(reader.has("admin", in: "assef") && reader.isSupport(in: "assef"))
        #expect(try reader.isAdmin(in: "assef"))
        try reader.require("admin", in: "assef")
        for market in ["btnc", "*"] {
            #expect(!reader.has("admin", in: market))
            #expect(throws: Problem.forbidden) { try reader.require("admin", in: market) }
            #expect(try !reader.isAdmin(in: market))
        }
        #expect(!reader.has("customer", in: "assef") && !reader.has("provider", in: "assef"))
        // Identity gives nobody such a role.
        let everywhere = caller([("*", "support")], isReading: true)
        #expect(!everywhere.has("admin", in: "assef") && !everywhere.has("admin", in: "*"))
    }

    @Test("I13: what support does is refused as that, and its person's other roles stay what they are")
    func acting() throws {
        let support = caller([("assef", "support"), ("assef", "customer")], isReading: false)
        #expect(!support.has("admin", in: "assef"))
        #expect(throws: Problem.supportReadsOnly) { try support.require("admin", in: "assef") }
        #expect(throws: Problem.supportReadsOnly) { try support.isAdmin(in: "assef") }
        #expect(throws: Problem.forbidden) { try support.require("admin", in: "btnc") }
        #expect(throws: Problem.forbidden) { try support.require("provider", in: "assef") }
        try support.require(anyOf: ["customer", "admin"], in: "assef")
        let both = caller([("assef", "support"), ("*", "admin")], isReading: false)
        #expect(!both.isSupport(in: "assef"))
        try both.require("admin", in: "assef")
    }

    @Test(
        "I13, P9: over HTTP a GET reads and everything else acts; what support reads is recorded as what an admin reads"
    )
    func methods() async throws {
        let tokens = try await TokenFixture()
        let reads = Reads()
        let fixture = try ServerFixture(verifier: tokens.verifier) { router in
            router.add(middleware: RecordReadMiddleware(["/markets/{market}/people": "people"]) { reads.add($0) })
            let group = router.group("/markets/{market}/people", context: AuthenticatedContext.self)
            for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
                group.on("", method: method) { _, context -> String in
                    try context.caller.require("admin", in: try context.parameters.require("market"))
                    return "done"
                }
            }
        }
        let token = try await tokens.currentToken(roles: [MarketRole(market: "assef", role: "support")])
        try await fixture.test { client async throws in
            for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
                let answer = try await client.execute(
                    uri: "/markets/assef/people?contact=%2B966501234567", method: method,
                    headers: [.authorization: "Bearer \(token)"])
                #expect(answer.status == (method == .get ? .ok : .forbidden), "\(method)")
                if method != .get { #expect(try ProblemAnswer(answer).slug == "support-reads-only") }
            }
        }
        #expect(reads.all.map(\.filter) == [["contact": "given"]])
    }

    private final class Reads: Sendable {
        private let kept = Mutex<[RecordedRead]>([])
        var all: [RecordedRead] { kept.withLock { $0 } }
        func add(_ read: RecordedRead) { kept.withLock { $0.append(read) } }
    }
}
