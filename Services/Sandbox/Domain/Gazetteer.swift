import Foundation

/// A fixed list of places in the markets' cities, searched in the form of Nominatim.
enum Gazetteer {
    struct Place: Sendable, Equatable {
        let id: Int
        let name: String
        let arabic: String
        let city: String
        let latitude: Double
        let longitude: Double

        func displayName(in language: String) -> String {
            language.lowercased().hasPrefix("ar") ? "\(arabic)، \(city)" : "\(name), \(city)"
        }
    }

    /// In degrees.
    struct Box: Sendable {
        let longitudes: ClosedRange<Double>
        let latitudes: ClosedRange<Double>

        /// Parses `west,north,east,south`, or any two opposite corners.
        init?(_ text: String) {
            let numbers = text.split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
            longitudes = min(numbers[0], numbers[2])...max(numbers[0], numbers[2])
            latitudes = min(numbers[1], numbers[3])...max(numbers[1], numbers[3])
        }

        func contains(_ place: Place) -> Bool {
            longitudes.contains(place.longitude) && latitudes.contains(place.latitude)
        }
    }

    static let licence = "The sandbox's own places"

    static let places: [Place] = [
        place(1, "Kingdom Centre", "برج المملكة", "Riyadh", 24.7114, 46.6744),
        place(2, "King Fahd Medical City", "مدينة الملك فهد الطبية", "Riyadh", 24.6868, 46.7063),
        place(3, "Olaya Street", "شارع العليا", "Riyadh", 24.6950, 46.6850),
        place(4, "Masmak Fortress", "قصر المصمك", "Riyadh", 24.6312, 46.7134),
        place(5, "Kings Park", "حديقة كينغز", "Perth", -31.9610, 115.8320),
        place(6, "Perth Station", "محطة بيرث", "Perth", -31.9510, 115.8600),
        place(7, "Fremantle Markets", "أسواق فريمانتل", "Fremantle", -32.0563, 115.7480),
        place(8, "Royal Perth Hospital", "مستشفى بيرث الملكي", "Perth", -31.9537, 115.8664),
        place(9, "Wascana Park", "متنزه واسكانا", "Regina", 50.4330, -104.6130),
        place(10, "Regina General Hospital", "مستشفى ريجاينا العام", "Regina", 50.4437, -104.6010),
        place(11, "Gothenburg Central", "محطة غوتنبرغ المركزية", "Gothenburg", 57.7089, 11.9735),
        place(12, "Liseberg", "ليسبيرغ", "Gothenburg", 57.6950, 11.9920),
    ]

    /// Finds the places that have every word in their name, in either language.
    static func find(_ text: String, within box: Box?, limit: Int) -> [Place] {
        let words = text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "," })
        guard !words.isEmpty else { return [] }
        return Array(
            places.filter { place in
                let names = "\(place.name) \(place.arabic) \(place.city)".lowercased()
                return words.allSatisfy { names.contains($0) } && box?.contains(place) ?? true
            }.prefix(limit))
    }

    /// Finds the nearest place within about a kilometre.
    static func nearest(latitude: Double, longitude: Double) -> Place? {
        func distance(_ place: Place) -> Double {
            let east = (place.longitude - longitude) * cos(latitude * .pi / 180)
            return (place.latitude - latitude) * (place.latitude - latitude) + east * east
        }
        return places.min { distance($0) < distance($1) }.flatMap { distance($0) < 0.0001 ? $0 : nil }
    }

    private static func place(
        _ id: Int, _ name: String, _ arabic: String, _ city: String, _ latitude: Double, _ longitude: Double
    ) -> Place {
        Place(id: id, name: name, arabic: arabic, city: city, latitude: latitude, longitude: longitude)
    }
}
