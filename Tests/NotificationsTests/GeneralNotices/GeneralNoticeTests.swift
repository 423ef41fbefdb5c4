import Contracts
import Foundation
import Messaging
import Postgres
import SeraiJSON
import TestKit
import Testing

@testable import SeraiNotifications
@testable import ServiceKit

@Suite("N5: general notices", .timeLimit(.minutes(15)))
struct GeneralNoticeTests {
    private static let path = NoticeScene.path

    @Test("N5, N1: a notice comes once, live and into the inbox, in the language of each")
    func told() async throws {
        try await NoticeScene.run { scene in
            let customer = try await scene.person("customer")
            let provider = try await scene.person("provider", title: "nurse", language: "ar")
            let other = try await scene.person("customer", market: "btnc")
            try await scene.world.settle()
            let hears = try await scene.process.stream(customer, after: 0)
            let admin = try await scene.admin()
            let made = try await scene.create(token: admin, key: "the-same-key")
            #expect(made.status == 201, "\(made.text)")
            #expect(try await scene.create(token: admin, key: "the-same-key").text == made.text)
            let notice = try #require(try made.json["notice"] as? String)
            try await scene.waitUntilGone(notice, token: admin)
            let item = try #require(try await scene.process.inbox(customer).first)
            #expect(item.topic == "general.notice" && item.subject == "Closed on Friday" && !item.read)
            #expect(item.content == "Nobody works on Friday.\nSee you on Saturday.")
            let arabic = try await scene.process.inbox(provider)
            #expect(arabic.map(\.subject) == ["مغلق يوم الجمعة"])
            #expect(try await scene.process.inbox(other).isEmpty)
            try await eventually("it is told live") { hears.events("inbox").count == 1 }
            #expect(hears.events("inbox").first?.text("subject") == "Closed on Friday")
            let gone = try await scene.read(notice, token: admin)
            #expect(gone["recipients"] as? Int == 2 && gone["endedAt"] != nil)
            let acts = try await scene.world.told(NoticeManaged.self)
            #expect(acts.map(\.act) == [.made] && acts.first?.audience == "all")
        }
    }

    @Test("N5: customers, providers, a title and a language are told apart; who is banned or has left gets nothing")
    func audiences() async throws {
        try await NoticeScene.run { scene in
            let customer = try await scene.person("customer", language: "ar")
            let nurse = try await scene.person("provider", title: "nurse")
            let doctor = try await scene.person("provider", title: "physiotherapist", language: "ar")
            let banned = try await scene.person("customer")
            let admin = try await scene.admin()
            _ = try await scene.person("admin")
            // A ban takes the role, in a newer version of the account.
            try await scene.tell(banned, [], version: 2)
            let left = try await scene.person("customer")
            try await scene.world.publish(AccountDeleted(account: left, version: 2, at: Date()))
            try await scene.world.settle()
            func told(_ query: String, _ draft: NoticeScene.Draft) async throws -> Set<UUID> {
                let reach = try await scene.process.request(
                    "GET", "/notifications/v1/markets/assef/notice-reach\(query)", token: admin)
                let before = try await scene.counts()
                let made = try await scene.create(draft, token: admin)
                #expect(made.status == 201, "\(made.text)")
                try await scene.waitUntilGone(try #require(try made.json["notice"] as? String), token: admin)
                let after = try await scene.counts()
                let people = Set(after.filter { $0.value > before[$0.key] ?? 0 }.keys)
                #expect(try reach.json["people"] as? Int == people.count, "\(query): \(reach.text)")
                return people
            }
            #expect(try await told("", .init()) == [customer, nurse, doctor])
            #expect(try await told("?audience=customers", .init(audience: "customers")) == [customer])
            #expect(try await told("?audience=providers", .init(audience: "providers")) == [nurse, doctor])
            #expect(
                try await told("?audience=providers&title=nurse", .init(audience: "providers", title: "nurse"))
                    == [nurse])
            #expect(try await told("?language=ar", .init(language: "ar")) == [customer, doctor])
            #expect(
                try await told("?audience=providers&language=ar", .init(audience: "providers", language: "ar"))
                    == [doctor])
        }
    }

    @Test("N5: what identity tells again fills the audience, and a later change of roles moves people out of it")
    func republished() async throws {
        try await NoticeScene.run { scene in
            let account = UUID.timeOrdered()
            let role = AccountSnapshot.Role(market: "assef", role: "customer", verified: true)
            let person = AccountSnapshot(
                account: account, version: 3, name: "Somebody", gender: nil, language: "en", roles: [role])
            try await scene.world.publish(
                AccountsTold(
                    range: ToldRange(after: nil, through: nil, readAt: Date()),
                    accounts: [.init(account: person, registeredAt: Date(), bans: [])]))
            try await scene.world.settle()
            let admin = try await scene.admin()
            func people() async throws -> Int? {
                try await scene.process.request(
                    "GET", "/notifications/v1/markets/assef/notice-reach", token: admin
                ).json["people"] as? Int
            }
            #expect(try await people() == 1)
            // An older version does not bring the role back.
            try await scene.tell(account, [], version: 4)
            try await scene.tell(account, [role], version: 3)
            try await scene.world.settle()
            #expect(try await people() == 0)
        }
    }

    @Test("N5: both texts are needed in both languages, and a time is still to come, within a year")
    func drafts() async throws {
        try await NoticeScene.run { scene in
            let admin = try await scene.admin()
            func faults(_ draft: NoticeScene.Draft) async throws -> String {
                let answer = try await scene.create(draft, token: admin)
                #expect(answer.status == 422, "\(answer.text)")
                return answer.text
            }
            #expect(try await faults(.init(subject: ["en": "Only one"])).contains("/subject/ar"))
            #expect(try await faults(.init(content: ["en": "  ", "ar": "نص"])).contains("/content/en"))
            #expect(try await faults(.init(audience: "everybody")).contains("/audience"))
            #expect(try await faults(.init(audience: "customers", title: "nurse")).contains("/title"))
            #expect(try await faults(.init(audience: "providers", title: "plumber")).contains("/title"))
            #expect(try await faults(.init(language: "fr")).contains("/language"))
            #expect(try await faults(.init(at: Date(timeIntervalSinceNow: -3_600))).contains("already-past"))
            #expect(try await faults(.init(at: Date(timeIntervalSinceNow: 400 * 86_400))).contains("too-far-ahead"))
            #expect(try await scene.world.told(NoticeManaged.self).isEmpty)
        }
    }

    @Test("N5: what waits can be changed, cancelled and taken back; what goes cannot, nor by an old version")
    func changes() async throws {
        try await NoticeScene.run { scene in
            let customer = try await scene.person("customer")
            try await scene.world.settle()
            let admin = try await scene.admin()
            let later = Date(timeIntervalSinceNow: 3_600)
            let made = try await scene.create(.init(at: later), token: admin)
            let notice = try #require(try made.json["notice"] as? String)
            let one = "\(Self.path)/\(notice)"
            func act(
                _ method: String, _ path: String, seen: Int?, _ draft: NoticeScene.Draft? = nil
            ) async throws -> NotificationsProcess.Answer {
                try await scene.process.request(
                    method, path, token: admin, headers: seen.map { [("If-Match", "\"\($0)\"")] } ?? [],
                    body: try draft.map { String(decoding: try JSON.answer.encode($0), as: UTF8.self) })
            }
            var draft = NoticeScene.Draft(at: later)
            draft.subject["en"] = "Closed on Sunday"
            let changed = try await act("PUT", one, seen: 1, draft)
            #expect(try changed.status == 200 && changed.json["version"] as? Int == 2, "\(changed.text)")
            let old = try await act("PUT", one, seen: 1, draft)
            #expect(try old.status == 412 && old.slug == "notice-changed")
            #expect(try await act("PUT", "\(one)/cancellation", seen: 1).status == 412)
            let cancelled = try await act("PUT", "\(one)/cancellation", seen: 2)
            #expect(try cancelled.status == 200 && cancelled.json["state"] as? String == "cancelled")
            #expect(try await act("PUT", "\(one)/cancellation", seen: nil).status == 200)
            #expect(try await act("PUT", one, seen: nil, draft).slug == "notice-state")
            #expect(try await scene.process.inbox(customer).isEmpty)
            let back = try await act("DELETE", "\(one)/cancellation", seen: 3)
            #expect(try back.status == 200 && back.json["state"] as? String == "waiting")
            draft.at = nil
            #expect(try await act("PUT", one, seen: 4, draft).status == 200)
            try await scene.waitUntilGone(notice, token: admin)
            #expect(try await scene.process.inbox(customer).map(\.subject) == ["Closed on Sunday"])
            for (method, path) in [("PUT", "\(one)/cancellation"), ("DELETE", "\(one)/cancellation")] {
                let late = try await act(method, path, seen: nil)
                #expect(try late.status == 409 && late.slug == "notice-state", "\(late.text)")
            }
            #expect(
                try await scene.world.told(NoticeManaged.self).map(\.act) == [
                    .made, .changed, .cancelled, .restored, .changed,
                ])
        }
    }

    @Test("N5, Q7: only admins of the market write, read and count; another market's notice does not exist")
    func callers() async throws {
        try await NoticeScene.run { scene in
            let admin = try await scene.admin()
            let made = try await scene.create(.init(at: Date(timeIntervalSinceNow: 3_600)), token: admin)
            let notice = try #require(try made.json["notice"] as? String)
            let one = "\(Self.path)/\(notice)"
            let body = String(decoding: try JSON.answer.encode(NoticeScene.Draft()), as: UTF8.self)
            let calls = [
                ("GET", Self.path), ("GET", "\(Self.path).csv"), ("POST", Self.path), ("GET", one), ("PUT", one),
                ("PUT", "\(one)/cancellation"),
                ("DELETE", "\(one)/cancellation"), ("GET", "/notifications/v1/markets/assef/notice-reach"),
            ]
            let strangers: [(String?, Int)] = [
                (nil, 401), (try await scene.token(.timeOrdered(), "customer"), 403),
                (try await scene.token(.timeOrdered(), "provider"), 403), (try await scene.admin("btnc"), 403),
            ]
            for (method, path) in calls {
                for (token, status) in strangers {
                    let answer = try await scene.process.request(
                        method, path, token: token, headers: [("Idempotency-Key", UUID().uuidString)],
                        body: method == "GET" || path.hasSuffix("cancellation") ? nil : body)
                    #expect(answer.status == status, "\(method) \(path): \(answer.text)")
                }
            }
            let elsewhere = "/notifications/v1/markets/btnc/general-notices/\(notice)"
            for (method, path) in [("GET", elsewhere), ("PUT", "\(elsewhere)/cancellation")] {
                let answer = try await scene.process.request(method, path, token: try await scene.admin("btnc"))
                #expect(answer.status == 404, "\(method): \(answer.text)")
            }
            #expect(try await scene.read(notice, token: admin)["state"] as? String == "waiting")
            let file = try await scene.process.request("GET", "\(Self.path).csv?state=waiting", token: admin)
            #expect(file.status == 200 && file.text.contains("Closed on Friday"), "\(file.text)")
            let none = try await scene.process.request("GET", "\(Self.path).csv?state=gone", token: admin)
            #expect(none.status == 200 && !none.text.contains("Closed on Friday"))
            // Whoever is admin of all markets is one of this, too.
            #expect(try await scene.process.request("GET", Self.path, token: try await scene.admin("*")).status == 200)
        }
    }
}
