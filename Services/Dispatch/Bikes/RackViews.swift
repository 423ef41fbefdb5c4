import Contracts
import Foundation
import Hummingbird
import Messaging
import ServiceKit

struct RackView: ResponseEncodable, Encodable, Sendable {
    let rack: String
    let market: String
    let name: String
    let names: [String: String]
    let latitude: Double
    let longitude: Double
    let active: Bool
    /// Straight-line distance from the requested place; nil if the request had no place.
    let metres: Int?
    /// Free bikes by type.
    let bikes: [String: Int]
    /// The names of the types.
    let bikeNames: [String: String]
    /// The mean of one to five stars that riders gave; nil before the first.
    let rating: Double?
    let ratings: Int
    /// The rack's key; shown only in the answer that creates it.
    var key: String?

    init(
        _ id: UUID, _ market: String, _ card: Rack.Card, metres: Double? = nil, bikes: [String: Int] = [:],
        standing: OrderDetails.Standing = .none, _ language: Language
    ) {
        rack = id.text
        self.market = market
        names = LocalName.names(card.name, card.arabicName)
        name = names[language.rawValue] ?? card.name
        latitude = card.latitude
        longitude = card.longitude
        active = card.isActive
        self.metres = metres.map { Int($0.rounded()) }
        self.bikes = bikes
        bikeNames = BikeType.names(in: language.rawValue)
        rating = OrderView.Standing(standing).average
        ratings = standing.count
    }
}

struct RackListView: ResponseEncodable, Encodable, Sendable {
    let items: [RackView]

    /// - Parameter rows: grouped by rack, in the order of the list.
    init(_ rows: [RackRow], _ language: Language) {
        var order: [UUID] = []
        var stocks: [UUID: [String: Int]] = [:]
        var racks: [UUID: RackRow] = [:]
        for row in rows {
            if racks.updateValue(row, forKey: row.id) == nil { order.append(row.id) }
            if let type = row.type { stocks[row.id, default: [:]][type] = row.count }
        }
        items = order.compactMap { id in
            racks[id].map {
                RackView(
                    id, $0.market, $0.card, metres: $0.metres, bikes: stocks[id] ?? [:], standing: $0.standing, language
                )
            }
        }
    }
}

extension RackRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notFound: .notFound
        case .noBike: Problem("no-bike", status: .conflict)
        case .tooMany: Problem("too-many-bikes", status: .conflict, arguments: ["maximum": String(Rack.maximumBikes)])
        case .wrongKey: .unauthenticated
        case .wrongCode: Problem("wrong-code", status: .conflict)
        case .notOut: Problem("bike-not-out", status: .conflict)
        case .tooManyHires:
            Problem("too-many-hires", status: .conflict, arguments: ["maximum": String(Rack.maximumHires)])
        case .hiresNotOffered: .notFound
        case .bikeReserved: Problem("bike-reserved", status: .conflict)
        case .notBroken: Problem("bike-not-broken", status: .conflict)
        case .wrongTime(let began):
            .invalidFields([FieldProblem("at", "not-within-the-hire", ["from": Timestamp.text(began)])])
        }
    }
}
