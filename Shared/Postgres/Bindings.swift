/// The parameters of one statement, encoded in PostgreSQL's binary format.
///
/// Binary, because arrays need no quoting and times no formatting, and both sides are typed anyway.
///
/// All of it is inlinable: a set of ledger commands binds thousands of values, each in a few instructions where its
/// type is known.
public struct Bindings: Sendable {
    @usableFromInline
    struct Parameter: Sendable {
        let type: UInt32
        let start: Int32
        /// In bytes; -1 for NULL.
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

    /// Appends the next parameters (`$1`, `$2`, …): values, optional values (nil is NULL), and arrays for `unnest($1)`
    /// and `= ANY ($1)`.
    @inlinable
    public mutating func append<each Value: PostgresParameter>(_ value: repeat each Value) {
        repeat (each value).append(to: &self)
    }

    /// Appends one array parameter for each column of `items`, for `unnest($1, $2)`.
    @inlinable
    public mutating func append<Item, each Value: PostgresElement>(
        columnsOf items: some Collection<Item>, _ column: repeat (Item) -> each Value
    ) {
        repeat appendColumn(items, each column)
    }

    @inlinable
    mutating func appendColumn<Item, Value: PostgresElement>(
        _ items: some Collection<Item>, _ column: (Item) -> Value
    ) {
        withoutActuallyEscaping(column) { Value.append(items.lazy.map($0), to: &self) }
    }

    @inlinable
    mutating func appendNull(_ type: UInt32) {
        parameters.append(Parameter(type: type, start: Int32(bytes.count), length: -1))
    }

    @inlinable
    mutating func appendValue<Value: PostgresEncodable>(_ value: Value) {
        let start = bytes.count
        value.encode(into: &bytes)
        finish(Value.postgresType.oid, from: start)
    }

    @inlinable
    mutating func appendArray<Value: PostgresEncodable>(_ values: some Collection<Value>) {
        let start = bytes.count
        beginArray(count: values.count, element: Value.postgresType, hasNulls: false)
        for value in values { appendElement(value) }
        finish(Value.postgresType.array, from: start)
    }

    /// Appends an array with NULL elements.
    @inlinable
    mutating func appendArray<Value: PostgresEncodable>(ofOptional values: some Collection<Value?>) {
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

/// The object identifiers of a type and of its array type (`pg_type.oid`, `pg_type.typarray`).
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

extension [UInt8] {
    @inlinable
    mutating func appendInteger(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
