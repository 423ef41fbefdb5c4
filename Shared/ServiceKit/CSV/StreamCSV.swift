public import Foundation
public import Hummingbird
import NIOCore

/// Streams a list as a CSV file, read and sent in parts.
public struct StreamCSV<Row: Sendable>: Sendable {
    /// The number of rows in one part.
    static var partRows: Int { 500 }
    static var maximumRows: Int { 50_000 }

    /// The file's name without extension, in ASCII.
    let name: String
    let head: [String]
    /// Reads the rows after a position, in the list's order.
    let part: @Sendable (_ after: (at: Date, id: UUID)?, _ limit: Int) async throws -> [Row]
    let position: @Sendable (Row) -> (at: Date, id: UUID)
    let line: @Sendable (Row) -> [CSVLine.Cell]

    /// The last line when there are more than ``maximumRows`` rows.
    let cut: String

    /// - Parameters:
    ///   - name: the file's name without extension, in ASCII.
    ///   - part: reads the rows after a position, in the list's order.
    ///   - cut: the last line of a file that would be too long.
    public init(
        name: String, head: [String],
        part: @escaping @Sendable (_ after: (at: Date, id: UUID)?, _ limit: Int) async throws -> [Row],
        position: @escaping @Sendable (Row) -> (at: Date, id: UUID),
        line: @escaping @Sendable (Row) -> [CSVLine.Cell],
        cut: String = "Only the first 50000 lines. Choose a shorter time."
    ) {
        self.name = name
        self.head = head
        self.part = part
        self.position = position
        self.line = line
        self.cut = cut
    }

    public func response() async throws -> Response {
        // Read before the response begins, so that a database failure becomes a problem document and not a broken file.
        let first = try await part(nil, Self.partRows)
        return .csv(
            name: name,
            body: ResponseBody { writer in
                try await writer.write(
                    ByteBuffer(string: CSVLine.byteOrderMark + CSVLine.text(head.map { .text($0) })))
                var rows = first
                var written = 0
                while let last = rows.last {
                    let lines = await LongWork.run { [rows, line] in rows.map { CSVLine.text(line($0)) }.joined() }
                    try await writer.write(ByteBuffer(string: lines))
                    written += rows.count
                    guard rows.count == Self.partRows else { break }
                    rows = try await part(position(last), Self.partRows)
                    if written >= Self.maximumRows, !rows.isEmpty {
                        try await writer.write(ByteBuffer(string: CSVLine.text([.text(cut)])))
                        break
                    }
                }
                try await writer.finish(nil)
            })
    }
}
