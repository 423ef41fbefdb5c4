import Foundation
import Matching

/// A place that pilgrims look for, by name or by what it is (H3).
struct NamedPlace: Sendable, Hashable, Codable {
    enum Category: String, Sendable, Codable, CaseIterable {
        case haram, gate, ritual, mosque, hospital, police, camp, station, landmark

        var english: String {
            switch self {
            case .haram: "Haram"
            case .gate: "Gates"
            case .ritual: "Places of the rituals"
            case .mosque: "Mosques"
            case .hospital: "Hospitals"
            case .police: "Police"
            case .camp: "Camps"
            case .station: "Stations and airports"
            case .landmark: "Landmarks"
            }
        }

        var arabic: String {
            switch self {
            case .haram: "الحرم"
            case .gate: "الأبواب"
            case .ritual: "المشاعر والمناسك"
            case .mosque: "المساجد"
            case .hospital: "المستشفيات"
            case .police: "الشرطة"
            case .camp: "المخيمات"
            case .station: "المحطات والمطارات"
            case .landmark: "المعالم"
            }
        }

        func name(in language: String) -> String { language == "ar" ? arabic : english }
    }

    /// Of a market; inactive ones count, too.
    static let maximumCount = 1_000
    /// A place lies within this distance of the middle of its city.
    static let maximumMetresFromCity = 60_000.0

    /// Stable; part of addresses.
    let id: String
    var city: String
    var category: Category
    var english: String
    var arabic: String
    var latitude: Double
    var longitude: Double
    /// False for a place that is shown no more.
    var isActive = true

    var point: GeoPoint { GeoPoint(latitude: latitude, longitude: longitude) }

    func name(in language: String) -> String { language == "ar" ? arabic : english }

    func isNear(_ city: GuideCity) -> Bool {
        point.metres(to: GeoPoint(latitude: city.latitude, longitude: city.longitude)) <= Self.maximumMetresFromCity
    }

    /// The nearest of some places, with metres as the crow flies; of the same distance the one with the first id.
    static func nearest(_ places: [NamedPlace], to here: GeoPoint, limit: Int) -> [(place: NamedPlace, metres: Double)]
    {
        places.map { ($0, here.metres(to: $0.point)) }
            .sorted { ($0.1, $0.0.id) < ($1.1, $1.0.id) }.prefix(limit).map { (place: $0.0, metres: $0.1) }
    }
}
