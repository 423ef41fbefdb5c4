import Foundation
import Matching

/// Pickups as the records of New York's Taxi and Limousine Commission have them.
struct PickupRecords {
    struct Pickup {
        /// Seconds since the hour's begin.
        let second: Int
        let place: GeoPoint
    }

    /// The hours with the most pickups, the busiest first.
    let busiest: [[Pickup]]

    init(_ file: URL, hours: Int) throws {
        var byHour: [String: [Pickup]] = [:]
        for line in try Self.text(of: file).split(whereSeparator: \.isNewline).dropFirst() {
            // "2014/4/1 00:11:00",40.769,-73.9549,"B02512", with or without quotes.
            let fields = line.split(separator: ",")
            guard fields.count >= 3, let latitude = Double(fields[1]), let longitude = Double(fields[2]) else {
                continue
            }
            let moment = fields[0].filter { $0 != "\"" }
            let parts = moment.split(separator: ":").map(String.init)
            guard parts.count >= 2, let minute = Int(parts[1]) else { continue }
            let second = minute * 60 + (parts.count > 2 ? Int(parts[2]) ?? 0 : 0)
            byHour[parts[0], default: []].append(
                Pickup(second: second, place: GeoPoint(latitude: latitude, longitude: longitude)))
        }
        busiest = byHour.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(hours)
            .map { $0.value.sorted { $0.second < $1.second } }
        guard busiest.count == hours else { throw BenchmarkError(description: "\(file.path()) has too few hours") }
    }

    private static func text(of file: URL) throws -> String {
        guard file.pathExtension == "gz" else { return try String(contentsOf: file, encoding: .utf8) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", file.path(percentEncoded: false)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(description: "gzip ended with \(process.terminationStatus) for \(file.path())")
        }
        return String(decoding: data, as: UTF8.self)
    }
}
