public import Foundation

/// A statement's parameter: a value, an optional one, or an array.
public protocol PostgresParameter {
    /// `pg_type.oid`, also for NULL.
    static var parameterType: UInt32 { get }
    func append(to bindings: inout Bindings)
}

/// An element of an array parameter.
public protocol PostgresElement {
    static var arrayType: UInt32 { get }
    static func append(_ values: some Collection<Self>, to bindings: inout Bindings)
}

/// A value that can be a statement's parameter, alone and in an array.
public protocol PostgresEncodable: PostgresParameter, PostgresElement, Sendable {
    static var postgresType: PostgresType { get }
    /// Appends the binary form, without its length.
    func encode(into bytes: inout [UInt8])
}

extension PostgresEncodable {
    @inlinable public static var parameterType: UInt32 { postgresType.oid }
    @inlinable public static var arrayType: UInt32 { postgresType.array }
    @inlinable
    public func append(to bindings: inout Bindings) { bindings.appendValue(self) }
    @inlinable
    public static func append(_ values: some Collection<Self>, to bindings: inout Bindings) {
        bindings.appendArray(values)
    }
}

extension Optional: PostgresParameter where Wrapped: PostgresParameter {
    @inlinable public static var parameterType: UInt32 { Wrapped.parameterType }
    @inlinable
    public func append(to bindings: inout Bindings) {
        if let self { self.append(to: &bindings) } else { bindings.appendNull(Wrapped.parameterType) }
    }
}

extension Optional: PostgresElement where Wrapped: PostgresEncodable {
    @inlinable public static var arrayType: UInt32 { Wrapped.postgresType.array }
    @inlinable
    public static func append(_ values: some Collection<Wrapped?>, to bindings: inout Bindings) {
        bindings.appendArray(ofOptional: values)
    }
}

extension Array: PostgresParameter where Element: PostgresElement {
    @inlinable public static var parameterType: UInt32 { Element.arrayType }
    @inlinable
    public func append(to bindings: inout Bindings) { Element.append(self, to: &bindings) }
}

extension Set: PostgresParameter where Element: PostgresElement {
    @inlinable public static var parameterType: UInt32 { Element.arrayType }
    @inlinable
    public func append(to bindings: inout Bindings) { Element.append(self, to: &bindings) }
}

/// An array of bytes is one value of type `bytea`.
extension UInt8: PostgresElement {
    @inlinable public static var arrayType: UInt32 { [UInt8].postgresType.oid }
    @inlinable
    public static func append(_ values: some Collection<UInt8>, to bindings: inout Bindings) {
        bindings.appendValue(Array(values))
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

/// The server refuses a string with U+0000 (SQLSTATE 22021).
extension String: PostgresEncodable {
    @inlinable public static var postgresType: PostgresType { .text }
    @inlinable
    public func encode(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
}

/// `bytea`.
extension Array: PostgresEncodable, PostgresElement where Element == UInt8 {
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
        // A date out of timestamptz's range becomes one that the server refuses (22008), instead of a trap.
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
