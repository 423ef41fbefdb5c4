import Foundation
import Hummingbird
import NIOCore
import ServiceKit

/// A list as a file of comma-separated values, read and sent in parts.
struct StreamCSV<Row: Sendable>: Sendable {
    /// Rows of one part.
    static var partRows: Int { 500 }
    static var maximumRows: Int { 50_000 }

    /// Of the file, without its ending; ASCII.
    let name: String
    let head: [String]
    /// Rows after a position, in the list's order.
    let part: @Sendable (_ after: (at: Date, id: UUID)?, _ limit: Int) async throws -> [Row]
    let position: @Sendable (Row) -> (at: Date, id: UUID)
    let line: @Sendable (Row) -> [CSVLine.Cell]

    /// Ends after ``maximumRows``; what the last line says then.
    var cut = "Only the first 50000 lines. Choose a shorter time."

    func response() async throws -> Response {
        // Before the answer begins, so that a database that is away is a problem and no broken file.
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
