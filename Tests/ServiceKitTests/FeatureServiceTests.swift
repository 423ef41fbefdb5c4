import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JWTKit
import Messaging
import NIOCore
import PollThread
import Postgres
import TestKit
import Testing

@testable import ServiceKit

@Suite("A service that is a list of features", .timeLimit(.minutes(15)))
struct FeatureServiceTests {
    @Test("the service of the README answers, keeps what it was sent once, and asks for a token")
    func greeting() async throws {
        try await TestDatabase.withDatabase(GreetingService.migrations) { database in
            try await TestBroker.withVirtualHost { broker in
                let signer = await AccessTokenSigner(key: try EdDSA.PrivateKey(), keyID: "key-1")
                let bootstrap = ServiceBootstrap(
                    name: TestDatabase.schema,
                    configuration: try ServiceConfiguration(
                        keys: GreetingService.allKeys, arguments: ["--greeting-word", "Salam"],
                        environment: [
                            "SERAI_DATABASE_URL": database.dsn, "SERAI_AMQP_URL": broker.url, "SERAI_HTTP_PORT": "0",
                            "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32),
                            "SERAI_TOKENS_KEYS": signer.keySetJSON, "SERAI_TOKENS_ISSUER": "serai",
                            "SERAI_TOKENS_AUDIENCE": "serai",
                        ]),
                    logger: TestThreads.logger, registry: PrometheusRegistry(), catalogue: try .common(),
                    migrations: GreetingService.migrations)
                let assembly = try await ServiceAssembly<GreetingService>(bootstrap)
                #expect(
                    Set(assembly.components.map(\.name)) == [
                        "database", "ended sessions", "publisher", "relay", "consumer", "dead messages", "http",
                        "idempotency purge", "late deadlines",
                    ])
                let now = Date().timeIntervalSince1970
                let caller = try await signer.sign(
                    AccessTokenClaims(
                        sub: UUID.timeOrdered().text, iss: "serai", aud: "serai", exp: now + 600, nbf: now, iat: now,
                        roles: [], sid: nil))
                try await assembly.server.testApplication.test(.router) { client in
                    func greet(_ token: String?) async throws -> (status: Int, text: String) {
                        var headers: HTTPFields = [.contentType: "application/json"]
                        if let key = HTTPField.Name("Idempotency-Key") { headers[key] = "the-same-greeting-again" }
                        if let token { headers[.authorization] = "Bearer \(token)" }
                        let answer = try await client.execute(
                            uri: "/greeting/v1/greetings", method: .post, headers: headers,
                            body: ByteBuffer(string: #"{"name": "Mira"}"#))
                        return (answer.status.code, String(buffer: answer.body))
                    }
                    #expect(try await greet(nil).status == 401)
                    for _ in 0..<2 {
                        let answer = try await greet(caller)
                        #expect(answer.status == 201 && answer.text == "Salam, Mira", "\(answer.text)")
                    }
                }
                #expect(try await assembly.base.pool.first(CountGreetings()) == 1)
                await assembly.base.pool.close()
                assembly.base.pool.thread.stop()
            }
        }
    }
}

private struct CountGreetings: Statement {
    static let sql: SQL = "SELECT count(*) FROM greetings"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
