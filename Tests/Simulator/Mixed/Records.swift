import Contracts
import Foundation

/// A meal that was brought: where the restaurant was, and where the eater.
struct MealRecord: Equatable {
    let restaurant: Coordinate
    let home: Coordinate
}

enum MealRecords {
    /// The first deliveries of a file that have places.
    static func first(_ count: Int, of path: String) throws -> [MealRecord] {
        let all = parse(try Pickups.text(of: path))
        guard !all.isEmpty else { throw Pickups.Unreadable(description: "\(path) has no deliveries with places.") }
        return Array(all.prefix(count))
    }

    /// `ID,courier,age,rating,restaurant's latitude,longitude,drop-off's latitude,longitude,…`. Lines of another form are
    /// left out, and those whose places are zero, as some of the records have them.
    static func parse(_ text: some StringProtocol) -> [MealRecord] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let columns = line.split(separator: ",", omittingEmptySubsequences: false)
            guard columns.count >= 8 else { return nil }
            let numbers = columns[4..<8].compactMap { Double($0) }
            guard numbers.count == 4, numbers.allSatisfy({ abs($0) > 1 }) else { return nil }
            return MealRecord(
                restaurant: Coordinate(latitude: numbers[0], longitude: numbers[1]),
                home: Coordinate(latitude: numbers[2], longitude: numbers[3]))
        }
    }
}

extension BoundingBox {
    init(south: Double, west: Double, north: Double, east: Double) {
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    /// Inside Perth, with room to the north for a ride's destination.
    static let perth = BoundingBox(south: -32.05, west: 115.80, north: -31.92, east: 115.95)

    /// Where a place of this box lies in another one, so that what is near each other stays so.
    func moved(_ place: Coordinate, into other: BoundingBox) -> Coordinate {
        func part(_ value: Double, _ low: Double, _ high: Double) -> Double {
            high > low ? min(1, max(0, (value - low) / (high - low))) : 0.5
        }
        return Coordinate(
            latitude: other.south + (other.north - other.south) * part(place.latitude, south, north),
            longitude: other.west + (other.east - other.west) * part(place.longitude, west, east))
    }
}

extension Array {
    /// Again from the first when they are through.
    func around(_ number: Int) -> Element? { isEmpty ? nil : self[number % count] }
}
