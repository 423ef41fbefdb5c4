import Contracts
import Foundation

/// Where and when people wanted something: Uber pickups of New York.
struct Pickup: Equatable {
    let at: Date
    let place: Coordinate
}

enum Pickups {
    struct Unreadable: Error, CustomStringConvertible { let description: String }

    /// The first pickups of a file by their time.
    static func first(_ count: Int, of path: String) throws -> [Pickup] {
        guard FileManager.default.fileExists(atPath: path) else {
            throw Unreadable(description: "There is no file \(path). Name one with --data (make: DATA=…).")
        }
        let all = parse(try text(of: path)).sorted { $0.at < $1.at }
        guard all.count >= count else {
            throw Unreadable(description: "\(path) has \(all.count) pickups; \(count) were asked for.")
        }
        return Array(all.prefix(count))
    }

    /// `2014/4/1 00:11:00,40.769,-73.9549,B02512`, or `4/1/2014 0:11:00` as the published files have it. Lines of another form are left out.
    static func parse(_ text: some StringProtocol) -> [Pickup] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let columns = line.split(separator: ",")
            guard columns.count >= 3, let at = time(columns[0]), let latitude = Double(columns[1]),
                let longitude = Double(columns[2]), (-90...90).contains(latitude), (-180...180).contains(longitude)
            else { return nil }
            return Pickup(at: at, place: Coordinate(latitude: latitude, longitude: longitude))
        }
    }

    private static func time(_ text: some StringProtocol) -> Date? {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count == 6 else { return nil }
        let isYearFirst = numbers[0] > 31
        var parts = DateComponents()
        parts.year = isYearFirst ? numbers[0] : numbers[2]
        parts.month = isYearFirst ? numbers[1] : numbers[0]
        parts.day = isYearFirst ? numbers[2] : numbers[1]
        parts.hour = numbers[3]
        parts.minute = numbers[4]
        parts.second = numbers[5]
        return calendar.date(from: parts)
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    static func text(of path: String) throws -> String {
        guard path.hasSuffix(".gz") else { return try String(contentsOfFile: path, encoding: .utf8) }
        let gunzip = Process()
        gunzip.executableURL = URL(filePath: "/usr/bin/env")
        gunzip.arguments = ["gunzip", "-c", path]
        let pipe = Pipe()
        gunzip.standardOutput = pipe
        try gunzip.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        gunzip.waitUntilExit()
        guard gunzip.terminationStatus == 0 else { throw Unreadable(description: "gunzip cannot read \(path).") }
        return String(decoding: data, as: UTF8.self)
    }
}

/// The smallest rectangle of degrees around some places.
struct BoundingBox: Equatable {
    let south, west, north, east: Double

    /// Nil for no places.
    init?(_ places: [Coordinate]) {
        guard let south = places.map(\.latitude).min(), let north = places.map(\.latitude).max(),
            let west = places.map(\.longitude).min(), let east = places.map(\.longitude).max()
        else { return nil }
        // A place on the edge is inside, and a single place has an inside.
        let margin = 0.01
        self.south = max(-90, south - margin)
        self.north = min(90, north + margin)
        self.west = max(-180, west - margin)
        self.east = min(180, east + margin)
    }

    /// As the setting `serviceArea` has it.
    var area: String { "\(south),\(west) \(north),\(west) \(north),\(east) \(south),\(east)" }
}
