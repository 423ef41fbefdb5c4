import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Messaging
import Synchronization
import TestKit
import Testing

@testable import ServiceKit

@Suite("P9: what admins read is recorded")
struct RecordedReadTests {
    private struct Full: Error {}

    private final class Log: Sendable {
        private let reads = Mutex<[RecordedRead]>([])
        private let isFull = Mutex(false)
        var all: [RecordedRead] { reads.withLock { $0 } }
        func fill() { isFull.withLock { $0 = true } }
        func add(_ read: RecordedRead) throws {
            guard !isFull.withLock({ $0 }) else { throw Full() }
            reads.withLock { $0.append(read) }
        }
    }

    private func server(_ tokens: TokenFixture, _ log: Log) throws -> ServerFixture {
        try ServerFixture(verifier: tokens.verifier) { router in
            let lists = [
                "/markets/{market}/people": "people", "/markets/{market}/people/{account}": "person",
                "/all.csv": "all.csv",
            ]
            router.add(middleware: RecordReadMiddleware(lists) { try log.add($0) })
            router.get("/markets/{market}/people") { _, _ in "secret names" }
            router.get("/markets/{market}/people/{account}") { _, _ in "secret names" }
            router.get("/markets/{market}/other") { _, _ in "other" }
            router.get("/all.csv") { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "text/csv"], body: .init(byteBuffer: .init(string: "a,b")))
            }
        }
    }

    @Test("P9, I12: one entry a read, with its filter but no words; none for others, for HEAD, and for one's own")
    func recorded() async throws {
        let (tokens, log) = (try await TokenFixture(), Log())
        let admin = try await tokens.currentToken(roles: [MarketRole(market: "assef", role: "admin")])
        let customer = try await tokens.currentToken(roles: [MarketRole(market: "assef", role: "customer")])
        try await server(tokens, log).test { client async throws in
            func ask(_ path: String, _ method: HTTPRequest.Method = .get, _ token: String) async throws -> Int {
                try await client.execute(uri: path, method: method, headers: [.authorization: "Bearer \(token)"]).status
                    .code
            }
            let person = UUID.timeOrdered()
            let name = "%D9%86%D9%88%D8%B1%D8%A9"
            let asked = "/markets/assef/people?name=\(name)&role=customer&limit=5&cursor=abc&unknown=\(name)"
            #expect(try await ask(asked, .get, admin) == 200)
            #expect(try await ask("/markets/assef/people/\(person.text)", .get, admin) == 200)
            #expect(try await ask("/all.csv", .get, admin) == 200)
            #expect(try await ask("/markets/assef/people", .head, admin) == 200)
            #expect(try await ask("/markets/assef/other", .get, admin) == 200)
            #expect(try await ask("/markets/btnc/people", .get, admin) == 200)
            #expect(try await ask("/markets/assef/people", .get, customer) == 200)
            let by = tokens.account
            #expect(
                log.all == [
                    RecordedRead(
                        list: "people", market: "assef",
                        filter: ["name": "given", "role": "customer", "page": "later"],
                        isFile: false, by: by),
                    RecordedRead(
                        list: "person", market: "assef", filter: ["account": person.text], isFile: false, by: by),
                    RecordedRead(list: "all.csv", market: "*", filter: [:], isFile: true, by: by),
                ])
        }
    }

    @Test("P9: what cannot be recorded is not shown")
    func unrecorded() async throws {
        let (tokens, log) = (try await TokenFixture(), Log())
        log.fill()
        let admin = try await tokens.currentToken(roles: [MarketRole(market: "*", role: "admin")])
        try await server(tokens, log).test { client async throws in
            let answer = try await client.execute(
                uri: "/markets/assef/people", method: .get, headers: [.authorization: "Bearer \(admin)"])
            #expect(answer.status == .internalServerError && !answer.text.contains("secret"))
        }
    }
}
