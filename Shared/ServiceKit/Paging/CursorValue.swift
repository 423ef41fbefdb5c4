public import Foundation
import Messaging

/// One sort key of a list's row, as stored in a cursor. Exact, because a cursor must find its row again.
public enum CursorValue: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    /// Microseconds since 1970, PostgreSQL's resolution.
    case microseconds(Int64)
    case null

    public static func date(_ date: Date) -> CursorValue {
        .microseconds(Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }

    public static func uuid(_ id: UUID) -> CursorValue { .text(id.text) }

    public var text: String? { if case .text(let value) = self { value } else { nil } }
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var uuid: UUID? { text.flatMap(UUID.init(uuidString:)) }
    public var date: Date? {
        guard case .microseconds(let value) = self else { return nil }
        return Date(timeIntervalSince1970: Double(value) / 1_000_000)
    }
}

extension CursorValue: Codable {
    private enum Kind: String, CodingKey {
        case text = "t"
        case integer = "i"
        case microseconds = "u"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        if let value = try container.decodeIfPresent(String.self, forKey: .text) {
            self = .text(value)
        } else if let value = try container.decodeIfPresent(Int64.self, forKey: .integer) {
            self = .integer(value)
        } else if let value = try container.decodeIfPresent(Int64.self, forKey: .microseconds) {
            self = .microseconds(value)
        } else {
            self = .null
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .text(let value): try container.encode(value, forKey: .text)
        case .integer(let value): try container.encode(value, forKey: .integer)
        case .microseconds(let value): try container.encode(value, forKey: .microseconds)
        case .null: break
        }
    }
}
