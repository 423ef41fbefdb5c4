import CLibPQ
public import Foundation

/// Reads one row of a result, column by column, in the order of the statement's list.
///
/// Lives only while ``Statement/decode(_:)`` runs, on the connection's thread.
public struct RowReader: ~Copyable {
    private let result: OpaquePointer
    private let row: Int32
    private let columnCount: Int32
    private var column: Int32 = 0

    init(result: OpaquePointer, row: Int32, columnCount: Int32) {
        self.result = result
        self.row = row
        self.columnCount = columnCount
    }

    /// The next column's value. NULL needs an optional type.
    /// - Throws: ``PostgresError/Code/decoding`` when there is no further column or it has another type.
    public mutating func next<Value: PostgresDecodable>(_ type: Value.Type = Value.self) throws(PostgresError) -> Value
    {
        guard column < columnCount else {
            throw PostgresError(.decoding, "the row has \(columnCount) columns, one more was asked for")
        }
        defer { column += 1 }
        let cell = PostgresCell(
            bytes: PQgetisnull(result, row, column) == 1
                ? nil
                : UnsafeRawBufferPointer(
                    start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column))),
            type: PQftype(result, column))
        guard let value = Value.decode(cell) else {
            let name = String(cString: PQfname(result, column))
            let found = cell.bytes == nil ? "NULL" : "type \(cell.type)"
            throw PostgresError(.decoding, "column \(name) is \(found), not \(Value.self)")
        }
        return value
    }
}

/// One value of a row in binary form. The bytes are valid only during decoding.
public struct PostgresCell {
    /// Nil for NULL.
    public let bytes: UnsafeRawBufferPointer?
    /// `pg_type.oid`.
    public let type: UInt32

    func integer<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
        guard let bytes, bytes.count == MemoryLayout<Value>.size else { return nil }
        return Value(bigEndian: bytes.loadUnaligned(as: Value.self))
    }
}

/// A type that a column can be read as.
public protocol PostgresDecodable: Sendable {
    /// Nil when the cell is NULL or has another type.
    static func decode(_ cell: PostgresCell) -> Self?
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> Wrapped?? {
        if cell.bytes == nil { return .some(nil) }
        return Wrapped.decode(cell).map { .some($0) }
    }
}

extension Int: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> Int? {
        switch cell.type {
        case 20: cell.integer(Int64.self).map { Int($0) }
        case 23: cell.integer(Int32.self).map { Int($0) }
        case 21: cell.integer(Int16.self).map { Int($0) }
        case 26: cell.integer(UInt32.self).map { Int($0) }
        default: nil
        }
    }
}

extension Int64: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> Int64? { Int.decode(cell).map { Int64($0) } }
}

extension Int32: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> Int32? {
        cell.type == 23 ? cell.integer(Int32.self) : cell.type == 21 ? cell.integer(Int16.self).map { Int32($0) } : nil
    }
}

extension Int16: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> Int16? { cell.type == 21 ? cell.integer(Int16.self) : nil }
}

extension Bool: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> Bool? {
        cell.type == 16 ? cell.integer(UInt8.self).map { $0 != 0 } : nil
    }
}

extension Double: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> Double? {
        switch cell.type {
        case 701: cell.integer(UInt64.self).map { Double(bitPattern: $0) }
        case 700: cell.integer(UInt32.self).map { Double(Float(bitPattern: $0)) }
        default: nil
        }
    }
}

extension String: PostgresDecodable {
    /// Types whose binary form is their text: json, name, text, bpchar, varchar, unknown; and enums, whose numbers
    /// begin at 16384.
    private static let textTypes: Set<UInt32> = [19, 25, 114, 705, 1042, 1043]

    public static func decode(_ cell: PostgresCell) -> String? {
        guard let bytes = cell.bytes, textTypes.contains(cell.type) || cell.type >= 16_384 else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Exists only so that `bytea` can be read as `[UInt8]`.
extension UInt8: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> UInt8? { cell.type == 18 ? cell.integer(UInt8.self) : nil }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
    /// `bytea` as `[UInt8]`, and one-dimensional arrays of any decodable element.
    public static func decode(_ cell: PostgresCell) -> [Element]? {
        guard let bytes = cell.bytes else { return nil }
        if Element.self == UInt8.self { return cell.type == 17 ? [UInt8](bytes) as? [Element] : nil }
        func word(_ at: Int) -> Int32? {
            at + 4 <= bytes.count ? Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: Int32.self)) : nil
        }
        guard let dimensions = word(0), let elementType = word(8) else { return nil }
        if dimensions == 0 { return [] }
        guard dimensions == 1, let count = word(12), count >= 0 else { return nil }
        var values: [Element] = []
        values.reserveCapacity(Int(count))
        var at = 20
        for _ in 0..<count {
            guard let length = word(at), Int(length) <= bytes.count - at - 4 else { return nil }
            at += 4
            let size = length < 0 ? 0 : Int(length)
            let element = length < 0 ? nil : UnsafeRawBufferPointer(rebasing: bytes[at..<at + size])
            guard let value = Element.decode(PostgresCell(bytes: element, type: UInt32(bitPattern: elementType))) else {
                return nil
            }
            values.append(value)
            at += size
        }
        return values
    }
}

extension UUID: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> UUID? {
        guard cell.type == 2950, let bytes = cell.bytes, bytes.count == 16 else { return nil }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}

extension Date: PostgresDecodable {
    /// `timestamptz`. A `timestamp` has no time zone, so it is refused.
    public static func decode(_ cell: PostgresCell) -> Date? {
        guard cell.type == 1184, let microseconds = cell.integer(Int64.self) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(microseconds) / 1_000_000 - epochDifferenceSeconds)
    }
}

extension PostgresJSON: PostgresDecodable {
    public static func decode(_ cell: PostgresCell) -> PostgresJSON? {
        guard let bytes = cell.bytes else { return nil }
        switch cell.type {
        case 114: return PostgresJSON(Array(bytes))
        case 3802 where bytes.first == 1: return PostgresJSON(Array(bytes.dropFirst()))
        default: return nil
        }
    }
}
