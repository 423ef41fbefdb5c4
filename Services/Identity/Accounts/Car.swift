import Foundation
import SeraiJSON

/// A driver's car, as riders and restaurants recognize it.
struct Car: Codable, Hashable, Sendable {
    var plate: String
    var maker: String?
    var model: String?
    var colour: String?

    /// The car in the details of a driver; nil without a plate.
    init?(details: [String: String]) {
        guard let plate = details["vehiclePlate"] else { return nil }
        self.plate = plate
        maker = details["vehicleMaker"]
        model = details["vehicleModel"]
        colour = details["vehicleColour"]
    }

    /// Nil for what is no car.
    init?(json: String) {
        // try?: what another version has written is not told.
        guard let car = try? JSON.sorted.decode(Car.self, json.utf8) else { return nil }
        self = car
    }

    /// The stored form; nil when it cannot be written.
    var json: String? {
        // try?: texts can always be written.
        try? JSON.sorted.text(self)
    }
}
