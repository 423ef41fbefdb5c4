public import Foundation

/// An instance of the Meal Delivery Routing Problem (Reyes, Erera, Savelsbergh, Sahasrabudhe, O'Neil 2018), as its
/// files have it: metres and minutes.
public struct MealInstance: Sendable {
    public struct Point: Hashable, Sendable {
        public let x: Double
        public let y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    public struct Order: Sendable {
        public let name: String
        public let place: Point
        public let placed: Int
        public let restaurant: Int
        public let ready: Int

        public init(name: String, place: Point, placed: Int, restaurant: Int, ready: Int) {
            self.name = name
            self.place = place
            self.placed = placed
            self.restaurant = restaurant
            self.ready = ready
        }
    }

    public struct Courier: Sendable {
        public let name: String
        public let place: Point
        public let on: Int
        public let off: Int

        public init(name: String, place: Point, on: Int, off: Int) {
            self.name = name
            self.place = place
            self.on = on
            self.off = off
        }
    }

    public struct Restaurant: Sendable {
        public let name: String
        public let place: Point

        public init(name: String, place: Point) {
            self.name = name
            self.place = place
        }
    }

    public struct Malformed: Error, CustomStringConvertible {
        public let description: String
    }

    public let name: String
    public let orders: [Order]
    public let couriers: [Courier]
    public let restaurants: [Restaurant]
    public let metresPerMinute: Double
    public let pickupMinutes: Int
    public let dropoffMinutes: Int
    public let targetMinutes: Int
    public let longestMinutes: Int

    public init(
        name: String, orders: [Order], couriers: [Courier], restaurants: [Restaurant], metresPerMinute: Double,
        pickupMinutes: Int, dropoffMinutes: Int, targetMinutes: Int, longestMinutes: Int
    ) {
        self.name = name
        self.orders = orders
        self.couriers = couriers
        self.restaurants = restaurants
        self.metresPerMinute = metresPerMinute
        self.pickupMinutes = pickupMinutes
        self.dropoffMinutes = dropoffMinutes
        self.targetMinutes = targetMinutes
        self.longestMinutes = longestMinutes
    }

    /// Reads the four files of a folder.
    public init(folder: URL) throws {
        name = folder.lastPathComponent
        let parameters = try Self.rows(folder, "instance_parameters.txt", separator: "\t", columns: 5)
        guard let row = parameters.first else { throw Malformed(description: "\(name) has no parameters") }
        metresPerMinute = try Self.number(row[0])
        pickupMinutes = Int(try Self.number(row[1]))
        dropoffMinutes = Int(try Self.number(row[2]))
        targetMinutes = Int(try Self.number(row[3]))
        longestMinutes = Int(try Self.number(row[4]))
        restaurants = try Self.rows(folder, "restaurants.txt", columns: 3).map {
            Restaurant(name: String($0[0]), place: Point(x: try Self.number($0[1]), y: try Self.number($0[2])))
        }
        let numbers = Dictionary(
            restaurants.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
        orders = try Self.rows(folder, "orders.txt", columns: 6).map { row in
            guard let restaurant = numbers[String(row[4])] else {
                throw Malformed(description: "there is no restaurant \(row[4])")
            }
            return Order(
                name: String(row[0]), place: Point(x: try Self.number(row[1]), y: try Self.number(row[2])),
                placed: Int(try Self.number(row[3])), restaurant: restaurant, ready: Int(try Self.number(row[5])))
        }
        couriers = try Self.rows(folder, "couriers.txt", columns: 5).map {
            Courier(
                name: String($0[0]), place: Point(x: try Self.number($0[1]), y: try Self.number($0[2])),
                on: Int(try Self.number($0[3])), off: Int(try Self.number($0[4])))
        }
    }

    /// Every folder below this one, or this one, that holds an instance, by name.
    public static func folders(below folder: URL) -> [URL] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let found = (files?.allObjects ?? []).compactMap { $0 as? URL }
        return found.filter { $0.lastPathComponent == "instance_parameters.txt" }
            .map { $0.deletingLastPathComponent() }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private static func rows(
        _ folder: URL, _ file: String, separator: Character? = nil, columns: Int
    ) throws -> [[Substring]] {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        return try text.split(whereSeparator: \.isNewline).dropFirst().map { line in
            let fields = line.split(whereSeparator: { separator.map($0.isEqual) ?? $0.isWhitespace })
            guard fields.count >= columns else { throw Malformed(description: "\(file): too short: \(line)") }
            return fields
        }
    }

    private static func number(_ field: Substring) throws -> Double {
        guard let number = Double(field) else { throw Malformed(description: "\(field) is no number") }
        return number
    }
}

extension Character {
    fileprivate func isEqual(_ other: Character) -> Bool { self == other }
}

extension MealInstance {
    /// Whole minutes from one place to another, rounded up.
    public func minutes(_ from: Point, _ to: Point) -> Int {
        let (x, y) = (from.x - to.x, from.y - to.y)
        return Int(((x * x + y * y).squareRoot() / metresPerMinute).rounded(.up))
    }

    /// The half of a service that comes before the food changes hands; the rest comes after.
    public var reachCounter: Int { (pickupMinutes + 1) / 2 }
    public var reachDoor: Int { (dropoffMinutes + 1) / 2 }

    /// Minutes from placing to door that no policy can go below: ready, carried straight there, handed over.
    public func shortestClickToDoor(_ order: Order) -> Int {
        order.ready - order.placed + pickupMinutes - reachCounter
            + minutes(restaurants[order.restaurant].place, order.place) + reachDoor
    }

    /// False of an order that no policy can deliver: nobody works any more when it is ready.
    public func isDeliverable(_ order: Order) -> Bool {
        couriers.contains { max(order.ready, order.placed, $0.on) <= $0.off }
    }
}
