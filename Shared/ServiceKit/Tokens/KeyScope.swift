public import Foundation
import HTTPTypes

/// Scopes of a business's API key (X9). A key acts for its account as a customer of one market, and only within its
/// scopes: everything else of the account, such as its profile, its money, its other markets and its other keys, stays
/// with the person.
public enum KeyScope: String, Sendable, CaseIterable, Codable {
    /// Reads the market, own orders and their payments.
    case readOrders = "orders:read"
    /// Orders, pays for orders from the wallet or a stored card, and acts on own orders.
    case writeOrders = "orders:write"
    /// Reads and changes own webhooks.
    case manageWebhooks = "webhooks:manage"

    /// Whether a caller with these scopes may send a request.
    static func allows(_ scopes: Set<String>, _ method: HTTPRequest.Method, _ path: String) -> Bool {
        guard let area = KeyArea.of(path) else { return false }
        let isRead = method == .get || method == .head
        return scopes.compactMap(KeyScope.init).contains { scope in
            switch scope {
            case .readOrders: isRead && area.isOfOrders
            case .writeOrders: !isRead && area.isOfOrders
            case .manageWebhooks: !area.isOfOrders
            }
        }
    }
}

/// Whose things the path of a key's request is about.
public enum KeySubject: Sendable, Hashable {
    /// A kind of things that a path names by id.
    public enum Kind: String, Sendable, Hashable, CaseIterable { case order, quote, series, webhook }

    /// The path names nothing; its route shows and makes only what is the key's (``Caller/keyMarket``).
    case collection
    case market(String)
    case thing(Kind, UUID)
}

/// The paths that keys may use, of all services. Everything else is closed to them, so a new route is closed until it is
/// written here; and what a path names must be the key's (``KeyBoundaryMiddleware``).
enum KeyArea: Sendable, CaseIterable {
    case orders, orderFile, hires, quotes, series, photos, markets, payments, webhooks

    /// The parts of a market's paths that customers use: the first one after its name. Empty is the market itself.
    static let partsOfMarket: Set<String> = [
        "", "cities", "drop-offs", "hires", "meals", "nearby", "parcels", "partners", "places", "providers", "racks",
        "restaurants", "rides", "services", "visits",
    ]

    var isOfOrders: Bool { self != .webhooks }

    private var root: [Substring] {
        switch self {
        case .orders: ["dispatch", "v1", "orders"]
        case .orderFile: ["dispatch", "v1", "orders.csv"]
        case .hires: ["dispatch", "v1", "hires"]
        case .quotes: ["dispatch", "v1", "quotes"]
        case .series: ["dispatch", "v1", "series"]
        case .photos: ["dispatch", "v1", "photos"]
        case .markets: ["dispatch", "v1", "markets"]
        case .payments: ["wallet", "v1", "orders"]
        case .webhooks: ["notifications", "v1", "webhooks"]
        }
    }

    /// Nil for a path that keys may not use.
    static func of(_ path: String) -> KeyArea? { find(path)?.area }

    /// Nil for a path that keys may not use.
    static func subject(of path: String) -> KeySubject? { find(path)?.subject }

    private static func find(_ path: String) -> (area: KeyArea, subject: KeySubject)? {
        // A path that is written in another way, with `..` or an escape, is within nothing.
        guard !path.contains("%"), !path.contains("//") else { return nil }
        let parts = path.split(separator: "/")
        guard !parts.contains("..") else { return nil }
        for area in allCases where parts.starts(with: area.root) {
            return area.subject(parts.dropFirst(area.root.count)).map { (area, $0) }
        }
        return nil
    }

    private func subject(_ rest: ArraySlice<Substring>) -> KeySubject? {
        guard let first = rest.first else {
            return switch self {
            case .orders, .orderFile, .quotes, .series, .photos, .webhooks: .collection
            case .hires, .markets, .payments: nil
            }
        }
        switch self {
        case .orders, .hires, .payments: return Self.thing(.order, first)
        case .quotes: return Self.thing(.quote, first)
        case .series: return Self.thing(.series, first)
        case .webhooks: return Self.thing(.webhook, first)
        case .markets:
            return Self.partsOfMarket.contains(String(rest.dropFirst().first ?? "")) ? .market(String(first)) : nil
        case .orderFile, .photos: return nil
        }
    }

    private static func thing(_ kind: KeySubject.Kind, _ id: Substring) -> KeySubject? {
        UUID(uuidString: String(id)).map { .thing(kind, $0) }
    }
}

extension Problem {
    /// 403: the API key has no scope for it.
    public static let outsideKeyScope = Problem("outside-key-scope", status: .forbidden)
}
