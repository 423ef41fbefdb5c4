public import Foundation

/// The parameters of one statement, encoded in PostgreSQL's binary format.
///
/// Binary, because it needs no quoting of arrays and no formatting of times, and both sides are typed anyway.
///
/// All of it is inlinable: a set of a ledger binds thousands of values, each in a few instructions where its type is known.
public struct Bindings: Sendable {
    @usableFromInline
    struct Parameter: Sendable {
        let type: UInt32
        let start: Int32
        /// In bytes; -1 is NULL.
        let length: Int32

        @usableFromInline
        init(type: UInt32, start: Int32, length: Int32) {
            self.type = type
            self.start = start
            self.length = length
        }
    }

    @usableFromInline var bytes: [UInt8] = []
    @usableFromInline var parameters: [Parameter] = []

    init() {}

    /// Appends the next parameter (`$1`, `$2`, …).
    @inlinable
    public mutating func append<Value: PostgresEncodable>(_ value: Value) {
        let start = bytes.count
        value.encode(into: &bytes)
        finish(Value.postgresType.oid, from: start)
    }

    /// Appends the next parameter; nil is NULL.
    @inlinable
    public mutating func append<Value: PostgresEncodable>(_ value: Value?) {
        guard let value else {
            parameters.append(Parameter(type: Value.postgresType.oid, start: Int32(bytes.count), length: -1))
            return
        }
        append(value)
    }

    /// Appends an array parameter, as `unnest($1)` and `= ANY($1)` take it.
    @inlinable
    public mutating func append<Value: PostgresEncodable>(_ values: some Collection<Value>) {
        let start = bytes.count
        beginArray(count: values.count, element: Value.postgresType, hasNulls: false)
        for value in values { appendElement(value) }
        finish(Value.postgresType.array, from: start)
    }

    /// Appends an array parameter some of whose elements are NULL.
    @inlinable
    public mutating func append<Value: PostgresEncodable>(_ values: some Collection<Value?>) {
        let start = bytes.count
        beginArray(count: values.count, element: Value.postgresType, hasNulls: true)
        for value in values {
            if let value { appendElement(value) } else { bytes.appendInteger(Int32(-1)) }
        }
        finish(Value.postgresType.array, from: start)
    }

    /// The wire form of an array: dimensions, null flag, element type, then length and lower bound of the dimension.
    @usableFromInline
    mutating func beginArray(count: Int, element: PostgresType, hasNulls: Bool) {
        bytes.appendInteger(Int32(count == 0 ? 0 : 1))
        bytes.appendInteger(Int32(hasNulls ? 1 : 0))
        bytes.appendInteger(element.oid)
        guard count > 0 else { return }
        bytes.appendInteger(Int32(count))
        bytes.appendInteger(Int32(1))
    }

    @inlinable
    mutating func appendElement(_ value: some PostgresEncodable) {
        let lengthAt = bytes.count
        bytes.appendInteger(Int32(0))
        value.encode(into: &bytes)
        let length = UInt32(bytes.count - lengthAt - 4)
        for shift in 0..<4 { bytes[lengthAt + shift] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * shift)) }
    }

    @inlinable
    mutating func finish(_ type: UInt32, from start: Int) {
        parameters.append(Parameter(type: type, start: Int32(start), length: Int32(bytes.count - start)))
    }
}

/// An object identifier of a type and of arrays of it (`pg_type.oid`, `pg_type.typarray`).
public struct PostgresType: Sendable {
    public let oid: UInt32
    public let array: UInt32

    public init(oid: UInt32, array: UInt32) {
        self.oid = oid
        self.array = array
    }

    @usableFromInline static let bool = PostgresType(oid: 16, array: 1000)
    @usableFromInline static let bytea = PostgresType(oid: 17, array: 1001)
    @usableFromInline static let int8 = PostgresType(oid: 20, array: 1016)
    @usableFromInline static let int2 = PostgresType(oid: 21, array: 1005)
    @usableFromInline static let int4 = PostgresType(oid: 23, array: 1007)
    @usableFromInline static let text = PostgresType(oid: 25, array: 1009)
    @usableFromInline static let float8 = PostgresType(oid: 701, array: 1022)
    @usableFromInline static let timestamptz = PostgresType(oid: 1184, array: 1185)
    @usableFromInline static let uuid = PostgresType(oid: 2950, array: 2951)
    @usableFromInline static let jsonb = PostgresType(oid: 3802, array: 3807)
}

/// A value that can be a statement's parameter.
public protocol PostgresEncodable: Sendable {
    static var postgresType: PostgresType { get }
    /// Appends the binary form, without its length.
    func encode(into bytes: inout [UInt8])
}

extension [UInt8] {
    @inlinable
    mutating func appendInteger(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}

extension Int: PostgresEncodable {
    @inlinable public static var postgresType: PostgresType { .int8 }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { bytes.appendInteger(Int64(self)) }
}

extension Int64: PostgresEncodable {
    @inlinable public static var postgresType: PostgresType { .int8 }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { bytes.appendInteger(self) }
}

extension Int32: PostgresEncodable {
    @inlinable public static var postgresType: PostgresType { .int4 }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { bytes.appendInteger(self) }
}

extension Int16: PostgresEncodable {
    @inlinable public static var postgresType: PostgresType { .int2 }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { bytes.appendInteger(self) }
}

extension Bool: PostgresEncodable {
    @inlinable public static var postgresType: PostgresType { .bool }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
}

extension Double: PostgresEncodable {
    @inlinable public static var postgresType: PostgresType { .float8 }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { bytes.appendInteger(bitPattern) }
}

/// A string with U+0000 in it is refused by the server (SQLSTATE 22021).
extension String: PostgresEncodable {
    @inlinable public static var postgresType: PostgresType { .text }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
}

/// `bytea`.
extension Array: PostgresEncodable where Element == UInt8 {
    @inlinable public static var postgresType: PostgresType { .bytea }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: self) }
}

extension UUID: PostgresEncodable {
    @inlinable public static var postgresType: PostgresType { .uuid }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) } }
}

/// `timestamptz`, rounded to PostgreSQL's microseconds.
extension Date: PostgresEncodable {
    /// Seconds from PostgreSQL's epoch (2000-01-01) to Foundation's (2001-01-01).
    @usableFromInline static let epochDifferenceSeconds = 366.0 * 86_400

    @inlinable public static var postgresType: PostgresType { .timestamptz }
    @inlinable
    public func encode(into bytes: inout [UInt8]) {
        let microseconds = (timeIntervalSinceReferenceDate + Self.epochDifferenceSeconds) * 1_000_000
        // A date out of the range of timestamptz becomes one that the server refuses (22008), not a trap.
        bytes.appendInteger(
            Int64(exactly: microseconds.rounded()) ?? (microseconds > 0 ? Int64.max - 1 : Int64.min + 1))
    }
}

/// JSON text stored as `jsonb`.
public struct PostgresJSON: PostgresEncodable, Hashable {
    /// UTF-8.
    public var text: [UInt8]

    public init(_ text: [UInt8]) { self.text = text }

    @inlinable public static var postgresType: PostgresType { .jsonb }
    @inlinable
    public func encode(into bytes: inout [UInt8]) {
        bytes.append(1)  // the version of jsonb's binary form
        bytes.append(contentsOf: text)
    }
}
