import AsyncHTTPClient
import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiIdentity
@testable import ServiceKit

extension World {
    /// Asks for a link or a code, and does what the deadline of it does.
    func ask(_ path: String, for login: String) async throws -> Answer {
        let answer = try await post(path, ["login": .string(login)], key: nil)
        try await answerProofs()
        return answer
    }

    /// Fires what was asked for, as a process of the service would in a moment.
    func answerProofs() async throws {
        for subject in try await pool.query(AskedProofs()) {
            let deadline = Deadline(kind: AskProof.deadline, subject: subject, dueAt: clock.now)
            try await pool.withTransaction { transaction in
                transaction.clearDeadline(kind: deadline.kind, subject: subject)
                try await parts.askProof.answer(deadline, at: clock.now, in: transaction)
            }
        }
    }
}

struct AskedProofs: Statement {
    static let sql: SQL = "SELECT subject FROM deadlines WHERE kind = 'identity.proof-asked' ORDER BY due_at"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}

extension World {
    /// Sends a file as the body.
    func upload(
        _ path: String, _ bytes: [UInt8], as type: String, token: String?
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/identity/v1/\(path)")
        request.method = .PUT
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        request.headers.add(name: "content-type", value: type)
        request.body = .bytes(ByteBuffer(bytes: bytes))
        let upload = request
        // A server that refuses closes while the client may still write, which then sees no answer. Putting is repeatable.
        return try await eventually("an answer to the upload") {
            let response = try await HTTPClient.shared.execute(upload, timeout: .seconds(60))
            return Answer(
                status: Int(response.status.code),
                bytes: Array(buffer: try await response.body.collect(upTo: 16_777_216)),
                headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first })
        } satisfies: { _ in
            true
        }
    }

    /// A token of a session that is good, which has run out.
    func expired(_ tokens: Tokens) async throws -> String {
        let account = try await pool.withTransaction { try await Accounts.lock(tokens.account, in: $0) }
        return try await parts.tokens.issue(to: account, session: .timeOrdered(), isStrong: false, at: Date() - 7_200)
    }
}
