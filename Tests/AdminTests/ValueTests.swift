import Foundation
import ServiceKit
import Testing

@testable import SeraiAdmin

@Suite("Days and lines")
struct ValueTests {
    private let now = Date(timeIntervalSince1970: 1_772_397_000)

    @Test("A2: a range has each of its days, from midnight to midnight in the zone")
    func range() throws {
        let range = try DayRange(from: "2026-02-27", to: "2026-03-01", timeZone: "Asia/Riyadh", now: now)
        #expect(range.days == ["2026-02-27", "2026-02-28", "2026-03-01"])
        #expect(range.start == Date(timeIntervalSince1970: 1_772_139_600))
        #expect(range.end == Date(timeIntervalSince1970: 1_772_398_800))
    }

    @Test("A2: a day on which the clock is changed is one day all the same")
    func clockChange() throws {
        let spring = try DayRange(from: "2026-03-28", to: "2026-03-30", timeZone: "Europe/Stockholm", now: now)
        #expect(spring.days == ["2026-03-28", "2026-03-29", "2026-03-30"])
        #expect(spring.end.timeIntervalSince(spring.start) == 71 * 3_600)
        let autumn = try DayRange(from: "2026-10-25", to: "2026-10-25", timeZone: "Europe/Stockholm", now: now)
        #expect(autumn.end.timeIntervalSince(autumn.start) == 25 * 3_600)
    }

    @Test("A2: without days the last thirty are meant, today in the market's zone included")
    func defaults() throws {
        let riyadh = try DayRange(from: nil, to: nil, timeZone: "Asia/Riyadh", now: now + 3_600)
        #expect(riyadh.days.count == 30)
        #expect(riyadh.days.last == "2026-03-02")
        let regina = try DayRange(from: nil, to: nil, timeZone: "America/Regina", now: now + 3_600)
        #expect(regina.days.last == "2026-03-01")
    }

    @Test("P10: days that are none, backwards or too many are refused")
    func refused() {
        func fault(_ from: String?, _ to: String?, _ zone: String = "Asia/Riyadh") -> DayRange.Fault? {
            do {
                _ = try DayRange(from: from, to: to, timeZone: zone, now: now)
                return nil
            } catch {
                return error
            }
        }
        for day in ["", "2026-3-1", "2026-02-29", "2026-13-01", "1999-01-01", "٢٠٢٦-٠٣-٠١", "2026-03-01 "] {
            #expect(fault(day, nil) == .notADay(field: "from"))
            #expect(fault(nil, day) == .notADay(field: "to"))
        }
        #expect(fault("2026-03-02", "2026-03-01") == .endsBeforeItBegins)
        #expect(fault("2025-01-01", "2026-01-01") == nil)
        #expect(fault("2024-12-31", "2026-01-01") == .tooLong(maximumDays: 366))
        #expect(fault("2000-01-01", "2999-12-31") == .tooLong(maximumDays: 366))
        #expect(fault(nil, nil, "Nowhere/Land") == .unknownZone)
    }

    @Test(
        "W8: a text that a spreadsheet would compute is made harmless",
        arguments: [
            ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "\"'\t'=1\""),
            ("=\u{301}1", "'=\u{301}1"), ("＝1", "'＝1"), ("\n=1", "\"'\n'=1\""), ("x;=cmd()", "\"x;'=cmd()\""),
            ("x; \"=cmd()", "\"x; \"\"'=cmd()\""),
            ("a;b", "\"a;b\""), ("a\n+b", "\"a\n'+b\""), ("a|@b", "\"a|'@b\""), ("a, -5", "\"a, '-5\""),
            (" =1", " '=1"), ("=1,2", "\"'=1,2\""),
            ("a=1", "a=1"), ("نورة", "نورة"), ("a\"b", "\"a\"\"b\""), ("a\"\u{301},b", "\"a\"\"\u{301},b\""),
            ("", ""), ("a,b", "\"a,b\""),
        ])
    func harmless(_ text: String, _ field: String) {
        #expect(Array(CSVLine.text([.text(text)]).utf8) == Array((field + "\r\n").utf8))
    }

    @Test("W8: numbers stay numbers, and nothing is an empty field")
    func numbers() {
        #expect(CSVLine.text([.number(-5), .text(nil), .number(nil), .number(0)]) == "-5,,,0\r\n")
    }
}
