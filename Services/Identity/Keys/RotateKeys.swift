import Foundation
import Postgres

/// Seals all personal data anew that another key than the current one has sealed (I14), while the service runs. It can be
/// ended and begun again at any moment: what is left to do is what the values themselves say.
///
/// A value is replaced only where it is still the one that was read, so that nothing that is written meanwhile is lost; what
/// was is looked at in the next round. When a round finds nothing, no value needs an old key.
struct RotateKeys: Sendable {
    /// A round that finds something is followed by another one. Processes that seal with an old key still would make an end
    /// impossible.
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

    /// - Returns: how many values of each column were sealed anew.
    /// - Throws: ``PersonalDataCipher/Fault/unknownKey(id:)`` where a value's key is not in the file; ``Fault``.
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

    /// Goes once through the column.
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
