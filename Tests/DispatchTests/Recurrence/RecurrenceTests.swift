import Foundation
import Messaging
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("O7: recurring visits")
struct RecurrenceTests {
    static let newYork = ZonedClock("America/New_York")

    /// An example of RFC 5545, 3.8.5.3: a rule, its start, and the days until the last one that the RFC shows.
    struct Vector: Sendable, CustomTestStringConvertible {
        let rule: String
        let start: String
        /// `1997-09: 2 9 16; 1997-10: 7`
        let days: String
        /// Whether there are no more than these.
        var isAll = true

        var testDescription: String { "\(rule) from \(start)" }

        var expected: [String] {
            days.split(separator: ";").flatMap { month in
                let parts = month.split(separator: ":")
                let name = parts[0].split(separator: " ").joined()
                return parts[1].split(separator: " ").map { $0.count == 1 ? "\(name)-0\($0)" : "\(name)-\($0)" }
            }
        }
    }

    static let vectors = [
        Vector(rule: "FREQ=DAILY;COUNT=10", start: "1997-09-02", days: "1997-09: 2 3 4 5 6 7 8 9 10 11"),
        Vector(rule: "FREQ=DAILY;INTERVAL=2", start: "1997-09-02", days: "1997-09: 2 4 6 8 10 12", isAll: false),
        Vector(
            rule: "RRULE:FREQ=DAILY;INTERVAL=10;COUNT=5", start: "1997-09-02", days: "1997-09: 2 12 22; 1997-10: 2 12"),
        Vector(
            rule: "FREQ=WEEKLY;COUNT=10", start: "1997-09-02",
            days: "1997-09: 2 9 16 23 30; 1997-10: 7 14 21 28; 1997-11: 4"),
        Vector(
            rule: "FREQ=WEEKLY;UNTIL=19971224T000000Z", start: "1997-09-02",
            days: "1997-09: 2 9 16 23 30; 1997-10: 7 14 21 28; 1997-11: 4 11 18 25; 1997-12: 2 9 16 23"),
        Vector(
            rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU", start: "1997-09-02",
            days: "1997-09: 2 16 30; 1997-10: 14 28; 1997-11: 11 25; 1997-12: 9 23; 1998-01: 6 20; 1998-02: 3 17",
            isAll: false),
        Vector(
            rule: "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", start: "1997-09-02",
            days: "1997-09: 2 4 9 11 16 18 23 25 30; 1997-10: 2"),
        Vector(
            rule: "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", start: "1997-09-02",
            days: "1997-09: 2 4 9 11 16 18 23 25 30; 1997-10: 2"),
        Vector(
            rule: "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", start: "1997-09-01",
            days: "1997-09: 1 3 5 15 17 19 29; 1997-10: 1 3 13 15 17 27 29 31; 1997-11: 10 12 14 24 26 28;"
                + "1997-12: 8 10 12 22"),
        Vector(
            rule: "freq=weekly;interval=2;count=8;wkst=su;byday=tu,th", start: "1997-09-02",
            days: "1997-09: 2 4 16 18 30; 1997-10: 2 14 16"),
        Vector(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", start: "1997-08-05", days: "1997-08: 5 10 19 24"
        ),
        Vector(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", start: "1997-08-05", days: "1997-08: 5 17 19 31"
        ),
        Vector(
            rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", start: "1997-09-02",
            days: "1997-09: 2 15; 1997-10: 2 15; 1997-11: 2 15; 1997-12: 2 15; 1998-01: 2 15"),
        Vector(
            rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", start: "1997-09-30",
            days: "1997-09: 30; 1997-10: 1 31; 1997-11: 1 30; 1997-12: 1 31; 1998-01: 1 31; 1998-02: 1"),
        Vector(
            rule: "FREQ=MONTHLY;BYMONTHDAY=-3", start: "1997-09-28",
            days: "1997-09: 28; 1997-10: 29; 1997-11: 28; 1997-12: 29; 1998-01: 29; 1998-02: 26", isAll: false),
        Vector(
            rule: "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", start: "1997-09-10",
            days: "1997-09: 10 11 12 13 14 15; 1999-03: 10 11 12 13"),
        Vector(
            rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", start: "2007-01-15",
            days: "2007-01: 15 30; 2007-02: 15; 2007-03: 15 30"),
    ]

    @Test("O7: the days are those of the RFC's own examples", arguments: vectors)
    func days(_ vector: Vector) throws {
        let start = try #require(LocalDay(vector.start))
        let recurrence = try Recurrence(
            RecurrenceRule(vector.rule), from: start, minute: 9 * 60, clock: try #require(Self.newYork))
        let expected = vector.expected
        let last = try #require(expected.last.flatMap { LocalDay($0) })
        let found = recurrence.occurrences(from: start, through: vector.isAll ? last.advanced(by: 1_000) : last)
        #expect(found.map(\.day.text) == expected)
        for occurrence in found {
            let wall = recurrence.clock.wall(at: occurrence.startsAt)
            #expect(wall.day == occurrence.day && wall.minute == 9 * 60)
        }
        // A rule is written as it is read.
        let rule = try RecurrenceRule(vector.rule)
        #expect(try RecurrenceRule(rule.text) == rule)
    }

    @Test("O7: daily until Christmas Eve are the RFC's 113 days, across the end of summer time")
    func untilMoment() throws {
        let recurrence = try Recurrence(
            RecurrenceRule("FREQ=DAILY;UNTIL=19971224T000000Z"), from: try #require(LocalDay("1997-09-02")),
            minute: 540, clock: try #require(Self.newYork))
        let found = recurrence.occurrences(from: recurrence.firstDay, through: recurrence.firstDay.advanced(by: 900))
        #expect(found.count == 113 && found.last?.day.text == "1997-12-23")
        // 9:00 EDT and 9:00 EST.
        #expect(found.first.map { UTCTime.text($0.startsAt) } == "19970902T130000Z")
        #expect(found.last.map { UTCTime.text($0.startsAt) } == "19971223T140000Z")
    }

    @Test("O7: a day that is excepted is left out, and counts")
    func exceptions() throws {
        let start = try #require(LocalDay("2026-11-23"))
        let without = try #require(LocalDay("2026-11-25"))
        let recurrence = try Recurrence(
            RecurrenceRule("FREQ=DAILY;COUNT=4"), from: start, minute: 480, except: [without],
            clock: try #require(ZonedClock("America/Regina")))
        let found = recurrence.occurrences(from: start, through: start.advanced(by: 100))
        #expect(found.map(\.day.text) == ["2026-11-23", "2026-11-24", "2026-11-26"])
        #expect(recurrence.occurrence(on: without) == nil)
        #expect(recurrence.next(from: without)?.day.text == "2026-11-26")
        #expect(recurrence.next(from: start.advanced(by: 4)) == nil)
    }

    @Test("O7: a start that the rule does not name is none; the first one comes after it")
    func start() throws {
        // A Sunday.
        let start = try #require(LocalDay("2026-11-22"))
        let recurrence = try Recurrence(
            RecurrenceRule("FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20261130"), from: start, minute: 600,
            clock: try #require(ZonedClock("Australia/Perth")))
        let found = recurrence.occurrences(from: start, through: start.advanced(by: 60))
        #expect(found.map(\.day.text) == ["2026-11-23", "2026-11-26", "2026-11-30"])
        // 10:00 in Perth, which has no summer time.
        #expect(found.map { UTCTime.text($0.startsAt) }.allSatisfy { $0.hasSuffix("T020000Z") })
    }

    @Test("O7: near midnight the day is the market's, not Greenwich's")
    func midnight() throws {
        let start = try #require(LocalDay("2026-12-31"))
        let late = try Recurrence(
            RecurrenceRule("FREQ=DAILY;COUNT=2"), from: start, minute: 23 * 60 + 30,
            clock: try #require(ZonedClock("America/Regina")))
        let found = late.occurrences(from: start, through: start.advanced(by: 9))
        #expect(found.map(\.day.text) == ["2026-12-31", "2027-01-01"])
        #expect(found.map { UTCTime.text($0.startsAt) } == ["20270101T053000Z", "20270102T053000Z"])
        let early = try Recurrence(
            RecurrenceRule("FREQ=MONTHLY;COUNT=2"), from: start, minute: 0,
            clock: try #require(ZonedClock("Europe/Stockholm")))
        let months = early.occurrences(from: start, through: start.advanced(by: 99))
        #expect(months.map { UTCTime.text($0.startsAt) } == ["20261230T230000Z", "20270130T230000Z"])
    }

    @Test(
        "O7: a time that the clock skips comes an hour later, one that it shows twice comes the first time",
        arguments: [
            // Spring: 2:00 becomes 3:00.
            ("America/Toronto", "2027-03-14", 150, "20270314T073000Z"),
            ("America/Toronto", "2027-03-14", 119, "20270314T065900Z"),
            ("America/Toronto", "2027-03-14", 180, "20270314T070000Z"),
            ("Europe/Stockholm", "2027-03-28", 150, "20270328T013000Z"),
            ("Europe/Stockholm", "2027-03-28", 180, "20270328T010000Z"),
            // Autumn: 1:00 to 2:00 comes twice in Toronto, 2:00 to 3:00 in Stockholm.
            ("America/Toronto", "2026-11-01", 90, "20261101T053000Z"),
            ("America/Toronto", "2026-11-01", 59, "20261101T045900Z"),
            ("America/Toronto", "2026-11-01", 120, "20261101T070000Z"),
            ("Europe/Stockholm", "2026-10-25", 150, "20261025T003000Z"),
            ("Europe/Stockholm", "2026-10-25", 180, "20261025T020000Z"),
            ("Europe/Stockholm", "2026-10-25", 540, "20261025T080000Z"),
            // Where there is no such change.
            ("Asia/Riyadh", "2027-03-28", 150, "20270327T233000Z"),
        ])
    func clockChanges(_ zone: String, _ day: String, _ minute: Int, _ moment: String) throws {
        let clock = try #require(ZonedClock(zone))
        #expect(UTCTime.text(clock.moment(try #require(LocalDay(day)), minute: minute)) == moment)
    }

    @Test("O7: across the changes of a year's clocks every day has one visit, at the same time on the wall")
    func throughTheYear() throws {
        for zone in ["America/Toronto", "Europe/Stockholm", "Australia/Perth", "Asia/Riyadh"] {
            let start = try #require(LocalDay("2026-06-01"))
            let recurrence = try Recurrence(
                RecurrenceRule("FREQ=DAILY;COUNT=730"), from: start, minute: 8 * 60,
                clock: try #require(ZonedClock(zone)))
            let found = recurrence.occurrences(from: start, through: start.advanced(by: 2_000))
            #expect(found.count == 730 && Set(found.map(\.startsAt)).count == 730)
            for (index, occurrence) in found.enumerated() {
                #expect(occurrence.day == start.advanced(by: index))
                let wall = recurrence.clock.wall(at: occurrence.startsAt)
                #expect(wall.day == occurrence.day && wall.minute == 480, "\(zone) \(occurrence)")
            }
        }
    }

    @Test(
        "O7: what is no rule, or one that is not done here, is refused and says why",
        arguments: [
            ("", RecurrenceError.malformed(part: "")), ("FREQ", .malformed(part: "FREQ")),
            ("INTERVAL=2", .missingFrequency), ("FREQ=OFTEN", .malformed(part: "FREQ")),
            ("FREQ=YEARLY", .notSupported(part: "FREQ")), ("FREQ=DAILY;FREQ=DAILY", .repeated(part: "FREQ")),
            ("FREQ=DAILY;", .malformed(part: "")), ("FREQ=DAILY;X=1", .malformed(part: "X")),
            ("FREQ=DAILY;INTERVAL=0", .outOfRange(part: "INTERVAL", 1...366)),
            ("FREQ=DAILY;INTERVAL=x", .malformed(part: "INTERVAL")),
            ("FREQ=MONTHLY;INTERVAL=121", .outOfRange(part: "INTERVAL", 1...120)),
            ("FREQ=DAILY;COUNT=1001", .outOfRange(part: "COUNT", 1...1_000)),
            ("FREQ=DAILY;COUNT=99999999999999999999", .malformed(part: "COUNT")),
            ("FREQ=DAILY;COUNT=2;UNTIL=20270101", .twoEnds), ("FREQ=DAILY;UNTIL=20270230", .malformed(part: "UNTIL")),
            ("FREQ=DAILY;UNTIL=20270101T090000", .malformed(part: "UNTIL")),
            ("FREQ=DAILY;UNTIL=2027-01-01", .malformed(part: "UNTIL")),
            ("FREQ=DAILY;BYDAY=MO", .notSupported(part: "BYDAY")), ("FREQ=WEEKLY;BYDAY=", .malformed(part: "BYDAY")),
            ("FREQ=WEEKLY;BYDAY=XX", .malformed(part: "BYDAY")),
            ("FREQ=MONTHLY;BYDAY=1FR", .notSupported(part: "BYDAY")),
            ("FREQ=WEEKLY;BYDAY=1FR", .notSupported(part: "BYDAY")),
            ("FREQ=MONTHLY;BYMONTHDAY=0", .outOfRange(part: "BYMONTHDAY", -31...31)),
            ("FREQ=MONTHLY;BYMONTHDAY=32", .outOfRange(part: "BYMONTHDAY", -31...31)),
            ("FREQ=WEEKLY;BYSETPOS=1", .notSupported(part: "BYSETPOS")),
            ("FREQ=DAILY;WKST=9", .malformed(part: "WKST")),
            (String(repeating: "A", count: 201), .tooLong(maximum: 200)),
        ])
    func refused(_ text: String, _ error: RecurrenceError) {
        #expect(throws: error) { try RecurrenceRule(text) }
    }

    @Test("O7: who looks far ahead finds the days that a walk from the beginning finds, without walking")
    func farAhead() throws {
        let clock = try #require(ZonedClock("America/Toronto"))
        let start = try #require(LocalDay("2026-11-25"))
        let rules = [
            "FREQ=DAILY", "FREQ=DAILY;INTERVAL=9", "FREQ=WEEKLY;BYDAY=MO,SU",
            "FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SA;WKST=SU",
            "FREQ=MONTHLY;BYMONTHDAY=1,-1", "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=25,31", "FREQ=DAILY;COUNT=400",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE;UNTIL=20290101",
        ]
        for rule in rules {
            let recurrence = try Recurrence(RecurrenceRule(rule), from: start, minute: 600, clock: clock)
            for ahead in stride(from: 0, through: 900, by: 7) {
                let (first, last) = (start.advanced(by: ahead), start.advanced(by: ahead + 200))
                let walked = recurrence.occurrences(from: start, through: last).filter { $0.day >= first }
                #expect(recurrence.occurrences(from: first, through: last) == walked, "\(rule) \(ahead)")
            }
            let end = try #require(LocalDay("9999-12-30"))
            #expect(recurrence.occurrences(from: end, through: end, limit: 5).count <= 1)
        }
    }

    @Test("O7: a rule that never comes is refused, and looking for its day ends")
    func never() throws {
        let clock = try #require(ZonedClock("America/Regina"))
        let start = try #require(LocalDay("2027-02-01"))
        // The 31st of each twelfth month from a February on.
        #expect(throws: RecurrenceError.never) {
            try Recurrence(
                RecurrenceRule("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31"), from: start, minute: 0, clock: clock)
        }
        #expect(throws: RecurrenceError.never) {
            try Recurrence(RecurrenceRule("FREQ=DAILY;UNTIL=20270131"), from: start, minute: 0, clock: clock)
        }
        #expect(throws: RecurrenceError.never) {
            try Recurrence(
                RecurrenceRule("FREQ=DAILY;COUNT=1"), from: start, minute: 0, except: [start], clock: clock)
        }
        let leap = try Recurrence(
            RecurrenceRule("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=29"), from: start, minute: 0, clock: clock)
        #expect(leap.next(from: start)?.day.text == "2028-02-29")
    }

    @Test("days are counted as the calendar has them")
    func calendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var random = SeededGenerator()
        for _ in 0..<2_000 {
            let day = LocalDay(number: Int.random(in: -25_000...60_000, using: &random))
            let parts = calendar.dateComponents(
                [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(day.number) * 86_400))
            let (year, month, dayOfMonth) = day.civil
            #expect(parts.year == year && parts.month == month && parts.day == dayOfMonth, "\(random)")
            #expect(parts.weekday.map { ($0 + 5) % 7 } == day.weekday.days(since: .monday), "\(random)")
            #expect(LocalDay(day.text) == day && LocalDay(day.text.filter { $0 != "-" }) == day)
        }
        for text in ["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-01", "20261301", "", "2026/11/22", "２０２６-11-22"]
        {
            #expect(LocalDay(text) == nil, "\(text)")
        }
    }
}
