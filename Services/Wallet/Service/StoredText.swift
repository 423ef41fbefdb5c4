import Foundation
import Messaging
import Postgres
import SeraiJSON

/// A text in several languages as it is stored.
enum StoredText {
    static func encode(_ texts: [String: String]) -> PostgresJSON {
        // try?: a dictionary of texts always encodes.
        PostgresJSON((try? JSON.stored.encode(texts)) ?? Array("{}".utf8))
    }

    static func decode(_ json: String) -> [String: String] {
        // try?: it was written by `encode`; what was not has no words.
        (try? JSON.stored.decode([String: String].self, json.utf8)) ?? [:]
    }
}

/// The payees, as stored. A text that `encode` did not write is a decoding error: money is not divided by guessing.
struct StoredPayees: PostgresDecodable {
    let payees: [Payee]

    static func encode(_ payees: [Payee]) -> PostgresJSON {
        // try?: plain values always encode.
        PostgresJSON((try? JSON.stored.encode(payees)) ?? Array("[]".utf8))
    }

    static func decode(_ cell: PostgresCell) -> StoredPayees? {
        guard let text = String.decode(cell) else { return nil }
        // Most often there are none.
        if text == "[]" { return StoredPayees(payees: []) }
        // try?: nil is the error of decoding.
        return (try? JSON.stored.decode([Payee].self, text.utf8)).map(StoredPayees.init)
    }
}

extension RowReader {
    /// A text that is one of an enumeration's.
    mutating func choice<Choice: RawRepresentable & Sendable>(_: Choice.Type) throws(PostgresError) -> Choice
    where Choice.RawValue == String {
        try next(Stored<Choice>.self).choice
    }

    mutating func optionalChoice<Choice: RawRepresentable & Sendable>(_: Choice.Type) throws(PostgresError) -> Choice?
    where Choice.RawValue == String {
        try next(Stored<Choice>?.self)?.choice
    }
}

/// Lets a column that holds something else be an error of decoding.
private struct Stored<Choice: RawRepresentable & Sendable>: PostgresDecodable where Choice.RawValue == String {
    let choice: Choice

    static func decode(_ cell: PostgresCell) -> Stored? {
        guard let text = String.decode(cell), let choice = Choice(rawValue: text) else { return nil }
        return Stored(choice: choice)
    }
}
