import Foundation
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("People by themselves")
struct DomainTests {
    @Test("I1: a name is trimmed, in NFC, and holds nothing that cannot be shown or turns the text around")
    func names() throws {
        #expect(try PersonName("  Rene\u{301}e  ").text == "Ren\u{e9}e")
        #expect(try PersonName("نورة Al-Harbi").text == "نورة Al-Harbi")
        #expect(try PersonName("علی\u{200C}رضا").text.unicodeScalars.contains("\u{200C}"))
        #expect(try PersonName(String(repeating: "é", count: 100)).text.count == 100)
        #expect(throws: PersonName.Fault.empty) { try PersonName(" \u{3000}\t") }
        #expect(throws: PersonName.Fault.tooLong) { try PersonName(String(repeating: "a", count: 101)) }
        #expect(throws: PersonName.Fault.tooLong) { try PersonName("a" + String(repeating: "\u{301}", count: 500)) }
        for text in [
            "Ali\u{202E}ilA", "Ali\u{2066}x", "Ali\u{0}", "A\u{7}li", "A\u{2028}li", "A\u{200B}li", "\u{200F}\u{200D}",
            "A\u{E000}", "A\u{FEFF}li",
        ] {
            #expect(throws: PersonName.Fault.unshowable, "\(text.unicodeScalars)") { try PersonName(text) }
        }
    }

    @Test("I2: e-mail addresses that differ in case or in the encoding of accents are one")
    func emails() throws {
        #expect(EmailAddress("Noura@Example.COM")?.normalized == "noura@example.com")
        #expect(EmailAddress("Noura@Example.COM")?.text == "Noura@Example.COM")
        #expect(EmailAddress("RENE\u{301}@x.sa")?.normalized == EmailAddress("ren\u{e9}@x.sa")?.normalized)
        #expect(EmailAddress("a\u{200D}li@x.sa") == nil)
    }

    @Test(
        "I1: a mobile number is understood as people write it and kept as E.164",
        arguments: [
            ("+966501234567", "+966501234567"), (" +966 50-123 4567 ", "+966501234567"),
            ("00966501234567", "+966501234567"), ("+٩٦٦٥٠١٢٣٤٥٦٧", "+966501234567"),
            ("\u{202A}+966 (50) 1234567\u{202C}", "+966501234567"), ("+46 (0)70 123 45 67", "+46701234567"),
            ("+966 050 123 4567", "+966501234567"),
        ])
    func mobiles(text: String, expected: String) { #expect(MobileNumber(text)?.text == expected) }

    @Test(
        "I1: what is no mobile number is none",
        arguments: [
            "", "0501234567", "966501234567", "+0966501234567", "+966112345678", "+96650", "+9665012345678901",
            "+96650a", "++1",
        ])
    func noMobiles(text: String) { #expect(MobileNumber(text) == nil) }

    @Test(
        "I3: a password has ten characters, a capital letter and two digits",
        arguments: [
            ("Abcdefgh12", true), ("abcdefgh12", false), ("Abcdefghi1", false), ("Abcdef12", false),
            ("ÄÖÜäöüß١٢x", true), ("Ab12\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", false), ("", false),
        ])
    func passwords(text: String, isGood: Bool) { #expect(PasswordRule.accepts(text) == isGood) }

    @Test("I4: three failures are free, each further doubles the wait, the tenth locks for a quarter of an hour")
    func throttle() {
        let throttle = LoginThrottle.account
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        var failures: LoginThrottle.Failures?
        var waits: [Int] = []
        for _ in 1...11 {
            if case .refused(let seconds) = throttle.attempt(failures, at: now) {
                waits.append(seconds)
                now += Double(seconds)
            } else {
                waits.append(0)
            }
            guard case .allowed(let next) = throttle.attempt(failures, at: now) else {
                Issue.record("refused after the wait")
                return
            }
            failures = next
        }
        #expect(waits == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 900])
        // The lock is over, and so is what led to it.
        #expect(failures?.count == 1)
    }

    @Test("I4, I15: of a second factor thirty wrong codes at most are tried in any day, however they are spread")
    func codes() {
        let throttle = LoginThrottle.secondFactor
        let begin = Date(timeIntervalSince1970: 1_800_000_000)
        for pause in [0, 60, 900, 3_600, 43_200, 86_400, 90_000] as [Double] {
            var now = begin
            var failures: LoginThrottle.Failures?
            var tries: [Date] = []
            while now < begin + 30 * 86_400 {
                if case .refused(let seconds) = throttle.attempt(failures, at: now) {
                    now += Double(seconds)
                    // Whoever knows the rule waits so long, too, before he goes on.
                    if failures.map({ $0.count >= throttle.failuresToLock }) == true { now += pause }
                }
                guard case .allowed(let next) = throttle.attempt(failures, at: now) else { continue }
                failures = next
                tries.append(now)
            }
            let most = tries.map { first in tries.count { $0 >= first && $0 < first + 86_400 } }.max() ?? 0
            #expect(most <= 30, "\(most) with a pause of \(pause) seconds")
        }
    }

    @Test("I4: failures are forgotten after a quarter of an hour")
    func forgets() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let old = LoginThrottle.Failures(count: 9, lastAt: now - 901, blockedUntil: nil)
        #expect(
            LoginThrottle.account.attempt(old, at: now) == .allowed(.init(count: 1, lastAt: now, blockedUntil: nil)))
    }

    @Test("I15: what a refresh token is worth")
    func refresh() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func token(
            _ number: Int, newest: Int, replaced: Double?, ended: Bool = false, left: Double = 100
        )
            -> SessionRule.Token
        {
            SessionRule.Token(
                number: number, newest: newest, replacedAt: replaced.map { now - $0 }, sessionEnded: ended,
                sessionExpiresAt: now + left)
        }
        #expect(SessionRule.refresh(token(3, newest: 3, replaced: nil), at: now) == .rotate)
        #expect(SessionRule.refresh(token(2, newest: 3, replaced: 10), at: now) == .repeatSuccessor)
        #expect(SessionRule.refresh(token(2, newest: 3, replaced: 10.1), at: now) == .reused)
        #expect(SessionRule.refresh(token(1, newest: 3, replaced: 1), at: now) == .reused)
        #expect(SessionRule.refresh(token(3, newest: 3, replaced: nil, ended: true), at: now) == .ended)
        #expect(SessionRule.refresh(token(3, newest: 3, replaced: nil, left: 0), at: now) == .ended)
    }

    @Test("I15: a session ends after 30 days without a refresh and after 180 in all")
    func expiry() {
        let made = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(SessionRule.expiry(createdAt: made, now: made) == made + 30 * 86_400)
        #expect(SessionRule.expiry(createdAt: made, now: made + 170 * 86_400) == made + 180 * 86_400)
    }

    @Test("I7: a provider waits, is verified or rejected; each word can be taken back, none said twice")
    func provider() throws {
        var account = Account(
            id: UUID(), name: try PersonName("Noura"), gender: nil, language: .arabic,
            role: .provider(in: "assef", title: "nurse"))
        #expect(account.role(.provider, in: "assef")?.isVerified == false)
        try account.decide(.verify(title: "nurse", version: nil), in: "assef")
        #expect(account.role(.provider, in: "assef")?.isVerified == true)
        #expect(throws: AccountError.alreadyDecided(.verified)) {
            try account.decide(.verify(title: "nurse", version: nil), in: "assef")
        }
        #expect(throws: AccountError.notAProvider) {
            try account.decide(.verify(title: "nurse", version: nil), in: "hajji")
        }
        #expect(throws: AccountError.hasRole(.verified)) { try account.add(.provider(in: "assef", title: "doctor")) }
        try account.decide(.reject(reason: "expired"), in: "assef")
        #expect(account.role(.provider, in: "assef")?.reason == "expired")
        try account.add(.provider(in: "assef", title: "doctor"))
        var waiting = Role.provider(in: "assef", title: "doctor")
        waiting.reason = "expired"
        #expect(account.roles == [waiting])
        #expect(account.version == 4)
    }

    @Test("a change that changes nothing makes no version")
    func noChange() throws {
        var account = Account(
            id: UUID(), name: try PersonName("Noura"), gender: .female, language: .arabic,
            role: .customer(in: "assef"))
        let same = account.change(name: try PersonName("Noura"), gender: nil, language: .arabic)
        #expect(!same)
        #expect(account.version == 1)
        let other = account.change(name: nil, gender: nil, language: .english)
        #expect(other)
        #expect(account.version == 2)
    }

    @Test("I1: a day is one of the calendar, and years are full ones")
    func days() throws {
        for text in [
            "2023-02-29", "1990-13-01", "1990-00-10", "90-01-01", "1990-1-01", "١٩٩٠-٠١-٠١", "", "1990-01-01T",
        ] {
            #expect(CalendarDate(text) == nil, "\(text)")
        }
        let born = try #require(CalendarDate("2008-02-29"))
        #expect(born.text == "2008-02-29")
        #expect(born.years(until: try #require(CalendarDate("2028-02-28"))) == 19)
        #expect(born.years(until: try #require(CalendarDate("2028-02-29"))) == 20)
        #expect(born.years(until: try #require(CalendarDate("2027-03-01"))) == 19)
        let midnight = Date(timeIntervalSince1970: 1_800_050_400)  // 2027-01-15 22:00 UTC
        let riyadh = try #require(TimeZone(identifier: "Asia/Riyadh"))
        #expect(CalendarDate(of: midnight, in: riyadh).text == "2027-01-16")
        #expect(CalendarDate(of: midnight, in: .gmt).text == "2027-01-15")
    }
}
