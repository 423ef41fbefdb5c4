import CLibPQ

/// A `COPY … FROM STDIN` as a type.
///
/// ```swift
/// struct CopyPositions: CopyStatement {
///     static let sql: SQL = "COPY positions (provider, lat, lon) FROM STDIN (FORMAT binary)"
///     static func bind(_ row: Position, _ bindings: inout Bindings) { … }
/// }
/// ```
public protocol CopyStatement: Sendable {
    associatedtype Row: Sendable
    /// Must name its columns and contain `(FORMAT binary)`.
    static var sql: SQL { get }
    /// Appends the columns in order. Types must match exactly: COPY does not cast.
    static func bind(_ row: Row, _ bindings: inout Bindings)
}

extension CopyStatement {
    /// Encodes the file format of `COPY BINARY` (PostgreSQL documentation, COPY): signature, flags, extension length;
    /// each row as a count of columns and length-prefixed values; -1 at the end.
    static func encode(_ rows: some Sequence<Row>) -> [UInt8] {
        var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
        bytes.appendInteger(Int32(0))
        bytes.appendInteger(Int32(0))
        for row in rows {
            var bindings = Bindings()
            bind(row, &bindings)
            bytes.appendInteger(Int16(bindings.parameters.count))
            for parameter in bindings.parameters {
                bytes.appendInteger(parameter.length)
                if parameter.length > 0 {
                    let start = Int(parameter.start)
                    bytes.append(contentsOf: bindings.bytes[start..<start + Int(parameter.length)])
                }
            }
        }
        bytes.appendInteger(Int16(-1))
        return bytes
    }
}

extension PostgresConnection {
    private static let copyChunkBytes = 64 * 1024

    /// Copies `bytes` in. COPY does not work in pipeline mode, so the session leaves it for the copy.
    func copy(_ sql: SQL, _ bytes: [UInt8]) async throws(PostgresError) -> Int {
        guard let handle else { throw PostgresError(.connectionLost, "the connection is closed") }
        var wait = AnswerWait(deadline: .now + configuration.answerTimeout)
        try leavePipeline(handle)
        do throws(PostgresError) {
            try await send(simple: sql.text, handle, &wait)
            var isReady = false
            try await readSimple(handle, &wait) { isReady = PQresultStatus($0) == PGRES_COPY_IN }
            guard isReady else { throw PostgresError(.configuration, "not a COPY FROM STDIN") }
            try await sendCopyData(bytes, handle, &wait)
            var affected = 0
            try await readSimple(handle, &wait) { affected = StatementResult(handle: $0).affectedRows }
            guard await settle(wait) else {
                throw PostgresError(.connectionLost, "the server did not end a cancellation")
            }
            try enterPipeline(handle)
            return affected
        } catch {
            _ = await settle(wait)
            // A half-finished COPY cannot be undone on this session.
            close()
            throw error
        }
    }

    private func sendCopyData(
        _ bytes: [UInt8], _ handle: OpaquePointer, _ wait: inout AnswerWait
    ) async throws(PostgresError) {
        var offset = 0
        while offset < bytes.count {
            let count = min(Self.copyChunkBytes, bytes.count - offset)
            let sent = bytes.withUnsafeBytes {
                PQputCopyData(
                    handle, $0.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self), Int32(count))
            }
            // 0 means that the buffer is full: flush, then send the same chunk again.
            if sent < 0 { throw lost(handle) }
            if sent == 1 { offset += count }
            try await flush(handle, &wait)
        }
        guard PQputCopyEnd(handle, nil) == 1 else { throw lost(handle) }
        try await flush(handle, &wait)
    }
}
