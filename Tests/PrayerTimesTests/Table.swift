import Foundation
import PrayerTimes
import Testing

/// A table of `Tests/Fixtures/prayer-times`.
struct Table {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/prayer-times")

    let name: String
    let lines: [[String]]

    init(_ name: String) throws {
        self.name = name
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        lines = text.split(separator: "\n").map { line in
            line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

/// What a table of a city's year was computed for, from its first line.
struct CityYear {
    let settings: PrayerSettings
    let rows: ArraySlice<[String]>

    init(_ name: String) throws {
        let lines = try Table(name).lines
        let head = lines[0]
        settings = PrayerSettings(
            place: try GeographicPlace(head[1], head[2]), timeZone: try #require(TimeZone(identifier: head[3])),
            method: try #require(CalculationMethod(rawValue: head[4])),
            madhab: try #require(Madhab(rawValue: head[5])),
            highLatitude: try #require(HighLatitudeRule(rawValue: head[6])))
        rows = lines.dropFirst(2)
    }
}

extension GeographicPlace {
    init(_ latitude: String, _ longitude: String) throws {
        self.init(latitude: try #require(Double(latitude)), longitude: try #require(Double(longitude)))
    }
}

extension CivilDay {
    /// A day such as 2026-03-01.
    init(_ text: String) throws {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        try #require(parts.count == 3)
        self = try #require(CivilDay(year: parts[0], month: parts[1], day: parts[2]))
    }
}

/// Local time in minutes from the midnight that begins the day; more than 1440 on the next one.
struct LocalTime: Hashable {
    let minutes: Int

    /// Such as `05:31`, or `00:12+1` on the next day; nil for `none` and for nothing.
    init?(_ text: String) {
        guard let parts = text.wholeMatch(of: /([0-9]{2}):([0-9]{2})([+-]1)?/), let hours = Int(parts.1),
            let minutes = Int(parts.2)
        else { return nil }
        self.minutes = hours * 60 + minutes + (parts.3.flatMap { Int($0) } ?? 0) * 1_440
    }

    init(_ moment: Date, _ day: CivilDay, in zone: TimeZone) {
        let local = moment.timeIntervalSince(day.start) + Double(zone.secondsFromGMT(for: moment))
        minutes = Int((local / 60).rounded(.down))
    }
}
