import Foundation
import Postgres

/// Seals all personal data again that another key than the current one has sealed (I14), while the service runs. It may
/// be stopped and started again at any moment: the values themselves show what is left to do.
///
/// A value is replaced only if it has not changed since it was read, so no concurrent write is lost; a changed value is
/// checked in the next round. When a round finds nothing, no value needs an old key.
struct RotateKeys: Sendable {
    /// The limit of rounds. Processes that still seal with an old key would otherwise keep it running for ever.
    static let maximumRounds = 20

    enum Fault: Error, Equatable, CustomStringConvertible {
        case stillWritten(column: String)

        var description: String {
            switch self {
            case .stillWritten(let column):
                "\(column) is still written with an old key: restart what runs with the old file, then go on"
            }
        }
    }

    let pool: PostgresPool
    let cipher: PersonalDataCipher
    var columns = SealedColumn.all

    /// - Returns: the number of values sealed again, by column.
    /// - Throws: ``PersonalDataCipher/Fault/unknownKey(id:)`` when a value's key is not in the file; ``Fault``.
    func callAsFunction() async throws -> [(column: String, values: Int)] {
        var counts: [(column: String, values: Int)] = []
        for column in columns {
            var (total, rounds) = (0, 0)
            while true {
                guard rounds < Self.maximumRounds else { throw Fault.stillWritten(column: column.name) }
                let (found, replaced) = try await round(column)
                total += replaced
                rounds += 1
                if found == 0 { break }
            }
            counts.append((column.name, total))
        }
        return counts
    }

    /// Goes through the column once.
    private func round(_ column: SealedColumn) async throws -> (found: Int, replaced: Int) {
        var after = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var (found, replaced) = (0, 0)
        while true {
            try Task.checkCancellation()
            let values = try await column.find(
                pool, SealedBatch(after: after, prefix: cipher.currentPrefix, limit: column.batchRows))
            guard let last = values.last else { return (found, replaced) }
            for value in values {
                let bytes = try cipher.open(bytes: value.sealed, column.field, of: value.id)
                let fresh = try cipher.seal(bytes: bytes, column.field, of: value.id)
                replaced += try await column.replace(pool, SealedChange(id: value.id, old: value.sealed, new: fresh))
            }
            found += values.count
            after = last.id
        }
    }
}
