import AsyncHTTPClient
import Contracts
import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import Postgres
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiWallet

extension WalletFixture {
    /// Pays in a way that needs no stored card.
    func pay(_ order: OrderSnapshot, _ person: Person, by method: String, token: String) async throws -> Answer {
        try await post(
            "orders/\(order.order.text)/payment", person, #"{"method": "\#(method)", "token": "\#(token)"}"#)
    }

    /// Where the payment sends its customer, as soon as it says so.
    func actionURL(_ order: OrderSnapshot, _ person: Person) async throws -> String {
        try await actionURL("orders/\(order.order.text)/payment", person)
    }

    func actionURL(_ path: String, _ person: Person) async throws -> String {
        let answer = try await TestKit.eventually("it says where to go", value: { try await get(path, person) }) {
            $0.json["nextAction"]?["url"]?.string != nil
        }
        return answer.json["nextAction"]?["url"]?.string ?? ""
    }

    /// What the customer says on the page; returns its status and where it leads.
    @discardableResult
    func answer(_ url: String, yes: Bool, key: String? = nil) async throws -> (status: Int, back: String?) {
        let parts = try #require(URLComponents(string: url))
        let known = parts.queryItems?.first { $0.name == "key" }?.value ?? ""
        var request = HTTPClientRequest(url: String(url.split(separator: "?")[0]))
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: "key=\(key ?? known)&answer=\(yes ? "yes" : "no")"))
        let response = try await self.parts.provider.client.execute(request, timeout: .seconds(10))
        return (Int(response.status.code), response.headers.first(name: "Location"))
    }

    /// Lets the worker look now at what waits, as it would once leases and authorisations have had their time.
    func checkNow() async throws { try await pool.execute(CheckNow()) }

    /// Everything that the outbox has had, oldest first.
    func outbox(_ name: String) async throws -> [String] { try await pool.query(ListBodies(name: name)) }
}

private struct CheckNow: Statement {
    static let sql: SQL = "UPDATE charges SET due_at = now() WHERE due_at IS NOT NULL"
}

/// As when half an hour is over since what was asked for was looked for in vain.
struct AgeMisses: Statement {
    static let sql: SQL = "UPDATE charges SET missed_at = missed_at - interval '31 minutes'"
}

private struct ListBodies: Statement {
    static let sql: SQL = "SELECT payload FROM outbox WHERE name = $1 ORDER BY seq"
    let name: String
    func bind(_ bindings: inout Bindings) { bindings.append(name) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

/// As when the time to say yes is over, and it is looked at.
struct AgeWaiting: Statement {
    static let sql: SQL = """
        UPDATE charges SET changed_at = now() - interval '1 hour', due_at = now() WHERE state = 'requiresAction'
        """
}
