public import Foundation

/// Replaces Foundation's decoding of ids in synthesized `Decodable` conformances, wherever these functions are visible.
extension KeyedDecodingContainer {
    /// - Throws: `DecodingError` for anything but the 36 characters of an id, in either case.
    public func decode(_ type: UUID.Type, forKey key: Key) throws -> UUID {
        guard let id = WireID.parse(try decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not an id")
        }
        return id
    }

    /// - Returns: nil for an absent key or null.
    /// - Throws: as ``decode(_:forKey:)``.
    public func decodeIfPresent(_ type: UUID.Type, forKey key: Key) throws -> UUID? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decode(type, forKey: key)
    }
}
