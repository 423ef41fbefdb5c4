import Contracts
import Foundation
import Postgres
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiNotifications

@Suite("What mail servers and SMS providers do wrong", .timeLimit(.minutes(15)))
struct ProviderFaultTests {
    private func mail(to address: String) throws -> DeliveryRequested {
        try DeliveryTests.request("password-changed", to: address, arguments: ["name": "Noura"])
    }

    private func sms(to number: String) throws -> DeliveryRequested {
        try DeliveryTests.request("confirm-mobile", .sms, to: number, arguments: ["code": "123456"])
    }

    private func with(
        _ changed: [String: String] = [:],
        _ body: @Sendable @escaping (World, SandboxServer) async throws -> Void
    ) async throws {
        try await DeliverySandbox.with { sandbox, settings in
            try await World.run { world in
                try await world.withProcess(settings.merging(changed) { $1 }) { _ in try await body(world, sandbox) }
            }
        }
    }

    @Test("N2: a 5xx for a person gives the mail up with an event; a 4xx is tried again until it is taken")
    func codes() async throws {
        try await with { world, sandbox in
            sandbox.mailFaults.set([
                MailFault(step: .rcpt, to: "nobody@example.com", code: 550),
                MailFault(step: .rcpt, to: "full@example.com", code: 452),
            ])
            try await FailedDeliveries.with(world.broker) { failed in
                let (refused, full) = (try mail(to: "nobody@example.com"), try mail(to: "full@example.com"))
                try await world.publish(refused)
                try await world.publish(full)
                try await eventually("one is given up") { !failed.all.isEmpty }
                #expect(failed.all.map(\.delivery) == [refused.delivery])
                #expect(failed.all.map(\.reason) == [.refused])
                try await eventually("the other was tried") {
                    (try await world.pool.first(TriesOf(id: full.delivery)) ?? 0) >= 1
                }
                sandbox.mailFaults.set([])
                try await eventually("it has come") { sandbox.messages(.mail, to: "full@example.com").count == 1 }
                #expect(sandbox.messages(.mail, to: "nobody@example.com").isEmpty)
                #expect(failed.all.count == 1)
            }
        }
    }

    @Test(
        "N2: while the server refuses our login or sender, is full, or cuts the connection, no mail is lost",
        arguments: [
            MailFault(step: .auth, code: 535), MailFault(step: .mail, code: 550), MailFault(step: .connect, code: 554),
            MailFault(step: .data, cuts: true), MailFault(step: .body, cuts: true), MailFault(step: .body, code: 451),
        ])
    func repaired(_ fault: MailFault) async throws {
        try await with { world, sandbox in
            sandbox.mailFaults.set([fault])
            let mail = try mail(to: "a@example.com")
            try await world.publish(mail)
            try await eventually("it was tried") { (try await world.pool.first(TriesOf(id: mail.delivery)) ?? 0) >= 1 }
            #expect(sandbox.messages(.mail).isEmpty)
            sandbox.mailFaults.set([])
            try await eventually("it has come") { sandbox.messages(.mail).count == 1 }
        }
    }

    @Test("N2: a mail whose answer was lost comes once more, with the same Message-ID and the same bytes")
    func repeated() async throws {
        try await with { world, sandbox in
            sandbox.mailFaults.set([MailFault(step: .body, cuts: true, keeps: true)])
            let mail = try mail(to: "twice@example.com")
            try await world.publish(mail)
            try await eventually("it has come") { !sandbox.messages(.mail).isEmpty }
            sandbox.mailFaults.set([])
            try await eventually("nothing waits") { try await world.pool.first(CountSealed()) == 0 }
            let sources = Set(sandbox.messages(.mail).map(\.source))
            #expect(sandbox.messages(.mail).count >= 2 && sources.count == 1)
            let id = mail.delivery.uuidString.lowercased()
            #expect(sources.first??.contains("Message-ID: <\(id)@example.com>") == true)
        }
    }

    @Test("N2, Q6: a server without STARTTLS, or with a certificate that nobody vouches for, is given no mail")
    func insecure() async throws {
        try await with { world, sandbox in
            sandbox.mailFaults.set([MailFault(step: .starttls, hidesTLS: true)])
            let mail = try mail(to: "a@example.com")
            try await world.publish(mail)
            try await eventually("it was tried") { (try await world.pool.first(TriesOf(id: mail.delivery)) ?? 0) >= 2 }
            #expect(sandbox.messages(.mail).isEmpty)
            sandbox.mailFaults.set([])
            try await eventually("it has come") { sandbox.messages(.mail).count == 1 }
        }
        try await with(["SERAI_DELIVERIES_MAIL_AUTHORITY_FILE": "/etc/ssl/certs/ca-certificates.crt"]) {
            world, sandbox in
            let mail = try mail(to: "a@example.com")
            try await world.publish(mail)
            try await eventually("it was tried") { (try await world.pool.first(TriesOf(id: mail.delivery)) ?? 0) >= 2 }
            #expect(sandbox.messages(.mail).isEmpty)
        }
    }

    @Test("N2: a number that is none, or has answered STOP, is given up with an event")
    func numbers() async throws {
        try await with { world, sandbox in
            let numbers = ["+966500000001": 21211, "+966500000002": 21610, "+966500000003": 21614]
            for (number, code) in numbers { sandbox.smsAnswers.set(.init(status: 400, code: code), to: number) }
            try await FailedDeliveries.with(world.broker) { failed in
                for number in numbers.keys { try await world.publish(try sms(to: number)) }
                try await world.publish(try sms(to: "+966500000009"))
                try await eventually("three are given up") { failed.all.count == 3 }
                #expect(failed.all.allSatisfy { $0.channel == .sms && $0.reason == .refused })
                try await eventually("the other has come") { sandbox.messages(.sms).map(\.to) == ["+966500000009"] }
            }
        }
    }

    @Test("N2: an SMS provider that asks for a pause is left alone by all, and then gets what waits")
    func pause() async throws {
        try await with { world, sandbox in
            let (limited, other) = ("+966500000001", "+966500000002")
            sandbox.smsAnswers.set(.init(status: 429, code: 20429, retryAfter: 4), to: limited)
            let start = ContinuousClock.now
            try await world.publish(try sms(to: limited))
            try await eventually("it is asked to wait") { try await world.pool.first(CountPaused()) == 1 }
            sandbox.smsAnswers.set(nil, to: limited)
            try await world.publish(try sms(to: other))
            try await eventually("both have come") { sandbox.messages(.sms).count == 2 }
            // Less than asked for, since the pause began before the answer came here.
            #expect(.now - start >= .seconds(3))
        }
    }

    @Test("N2: only what is wrong with the person or the text is final")
    func verdicts() {
        for code in [21211, 21610, 21614, 21602, 21617] {
            let outcome = SMSVerdict.outcome(status: 400, code: code, retryAfter: nil)
            #expect(outcome == .refused(cause: "status 400, code \(code)"))
        }
        for (status, code) in [(400, 21606), (400, 21408), (401, 20003), (403, nil), (404, 20404)] as [(UInt, Int?)] {
            guard case .later(_, nil) = SMSVerdict.outcome(status: status, code: code, retryAfter: nil) else {
                Issue.record("\(status) is not tried again")
                continue
            }
        }
        #expect(
            SMSVerdict.outcome(status: 500, code: 21211, retryAfter: nil) == .later(cause: "status 500, code 21211"))
        let limited = SMSVerdict.outcome(status: 429, code: nil, retryAfter: nil)
        #expect(limited == .later(cause: "status 429", afterSeconds: SMSVerdict.usualPauseSeconds))
        let asked = SMSVerdict.outcome(status: 503, code: nil, retryAfter: "1e9")
        #expect(asked == .later(cause: "status 503", afterSeconds: SMSVerdict.longestPauseSeconds))
    }
}

private struct TriesOf: Statement {
    static let sql: SQL = "SELECT tries FROM deliveries WHERE id = $1"
    let id: UUID
    func bind(_ bindings: inout Bindings) { bindings.append(id) }
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}

private struct CountPaused: Statement {
    static let sql: SQL = "SELECT count(*) FROM paused_hosts WHERE host = 'sms'"
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
}
