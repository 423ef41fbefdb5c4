import Contracts
import Foundation
import Messaging
import NIOCore
import NIOPosix
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiNotifications

@Suite("Mails and SMS", .timeLimit(.minutes(15)))
struct DeliveryTests {
    static func request(
        _ text: String, _ channel: DeliveryRequested.Channel = .mail, of account: UUID = .timeOrdered(),
        to address: String, language: String = "en", arguments: [String: String], expiresAt: Date = Date() + 600
    ) throws -> DeliveryRequested {
        let id = UUID.timeOrdered()
        let seal = DeliverySeal(secret: Redacted(String(repeating: "d", count: 32)))
        return DeliveryRequested(
            delivery: id, account: account, channel: channel, text: text, language: language,
            sealed: try seal.seal(.init(to: address, arguments: arguments), delivery: id), expiresAt: expiresAt,
            at: Date())
    }

    private func withSandbox(
        _ body: @Sendable @escaping (World, NotificationsProcess, SandboxServer) async throws -> Void
    ) async throws {
        try await DeliverySandbox.with { sandbox, settings in
            try await World.run { world in
                try await world.withProcess(settings) { process in try await body(world, process, sandbox) }
            }
        }
    }

    @Test("I2, N2: a mail goes out once in the account's language, however often it is asked for")
    func mail() async throws {
        try await withSandbox { world, _, sandbox in
            let address = "noura@example.com"
            let english = try Self.request(
                "confirm-email", to: address,
                arguments: ["name": "Noura", "link": "https://x.example/confirm#token=abc"])
            for _ in 1...3 { try await world.publish(english) }
            let arabic = try Self.request(
                "password-changed", to: address, language: "ar", arguments: ["name": "نورة"])
            try await world.publish(arabic)
            try await eventually("both have come") { sandbox.messages(.mail, to: address).count == 2 }
            let texts = sandbox.messages(.mail, to: address)
            #expect(texts.contains { $0.text.contains("https://x.example/confirm#token=abc") })
            #expect(texts.contains { $0.text.contains("نورة") })
            #expect(texts.allSatisfy { $0.subject?.isEmpty == false })
            try await eventually("nothing is left that could be read") {
                try await world.pool.first(CountSealed()) == 0
            }
            #expect(sandbox.messages(.mail, to: address).count == 2)
        }
    }

    @Test("I2, N2: an SMS holds the code; what has expired is not sent, and what has no words here waits until then")
    func sms() async throws {
        try await withSandbox { world, _, sandbox in
            let number = "+966501234567"
            try await world.publish(
                try Self.request(
                    "confirm-mobile", .sms, to: number, arguments: ["code": "111111"], expiresAt: Date() - 1))
            try await world.publish(try Self.request("no-such-text", .sms, to: number, arguments: [:]))
            try await world.publish(try Self.request("confirm-mobile", .sms, to: number, arguments: ["code": "123456"]))
            try await eventually("but for one without words all are done with") {
                try await world.pool.first(CountSealed()) == 1 && sandbox.messages(.sms, to: number).count == 1
            }
            #expect(sandbox.messages(.sms, to: number).first?.text.contains("123456") == true)
        }
    }

    @Test("N2: the messages of one account come in their order")
    func ordered() async throws {
        try await withSandbox { world, _, sandbox in
            let (account, number) = (UUID.timeOrdered(), "+966501234569")
            let codes = (1...6).map { "11111\($0)" }
            for code in codes {
                try await world.publish(
                    try Self.request("confirm-mobile", .sms, of: account, to: number, arguments: ["code": code]))
            }
            try await eventually("all have come") { sandbox.messages(.sms, to: number).count == 6 }
            let texts = sandbox.messages(.sms, to: number).map(\.text)
            #expect(zip(texts, codes).allSatisfy { $0.contains($1) })
        }
    }

    @Test("N2: a gateway of mails that hangs does not hold up an SMS")
    func hanging() async throws {
        // Connections are taken by the system, and nobody ever answers.
        let silent = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(silent.localAddress?.port)
        try await DeliverySandbox.with { sandbox, settings in
            try await World.run { world in
                let settings = settings.merging(["SERAI_DELIVERIES_MAIL_URL": "smtp://127.0.0.1:\(port)"]) { $1 }
                try await world.withProcess(settings) { _ in
                    for _ in 0..<40 {
                        try await world.publish(
                            try Self.request("password-changed", to: "a@example.com", arguments: ["name": "Noura"]))
                    }
                    try await eventually("mails are tried") { (try await world.pool.first(CountTries()) ?? 0) >= 1 }
                    let number = "+966501234568"
                    let start = ContinuousClock.now
                    try await world.publish(
                        try Self.request("confirm-mobile", .sms, to: number, arguments: ["code": "123456"]))
                    try await eventually("the SMS has come") { sandbox.messages(.sms, to: number).count == 1 }
                    #expect(.now - start < .seconds(30))
                }
            }
        }
        try await silent.close()
    }

    @Test("N2: a gateway that is away is asked again until it takes what it is given")
    func away() async throws {
        try await World.run { world in
            let address = "away@example.com"
            let mail = try Self.request("password-changed", to: address, arguments: ["name": "Noura"])
            try await world.withProcess(["SERAI_DELIVERIES_MAIL_URL": "smtp://127.0.0.1:1"]) { _ in
                try await world.publish(mail)
                try await eventually("it was tried") { (try await world.pool.first(CountTries()) ?? 0) >= 1 }
            }
            let dump = try #require(try await world.pool.first(DumpDeliveries()))
            #expect(!dump.contains(address))
            #expect(!dump.contains("Noura"))
            try await DeliverySandbox.with { sandbox, settings in
                try await world.withProcess(settings) { _ in
                    try await eventually("it has come") { sandbox.messages(.mail, to: address).count == 1 }
                }
            }
        }
    }
}

struct CountSealed: Statement {
    static let sql: SQL = "SELECT count(*) FROM deliveries WHERE sealed IS NOT NULL"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct CountTries: Statement {
    static let sql: SQL = "SELECT coalesce(sum(tries), 0)::bigint FROM deliveries"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

struct DumpDeliveries: Statement {
    static let sql: SQL = "SELECT string_agg(d::text, ' ') FROM deliveries d"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> String { try row.next() }
}
