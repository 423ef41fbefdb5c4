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
    /// As the crow flies; nil where no place was asked about.
    let metres: Int?
    /// Free bikes by type.
    let bikes: [String: Int]
    /// What the rack proves itself by; shown once.
    var key: String?

    init(
        _ id: UUID, _ market: String, _ card: Rack.Card, metres: Double? = nil, bikes: [String: Int] = [:],
        _ language: Language
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
    }
}

struct RackListView: ResponseEncodable, Encodable, Sendable {
    let items: [RackView]

    /// - Parameter rows: of one rack together, in the order of the list.
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
                RackView(id, $0.market, $0.card, metres: $0.metres, bikes: stocks[id] ?? [:], language)
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
        case .notHired: .notFound
        }
    }
}
