import Foundation
import Postgres

/// A sealed value as read from its row.
struct SealedValue: Sendable {
    /// The id that the value is bound to.
    let id: UUID
    let sealed: [UInt8]
}

/// Finds values of one column that the current key has not sealed, in the order of their ids.
protocol FindSealed: Statement where Row == SealedValue {
    var batch: SealedBatch { get }
    init(_ batch: SealedBatch)
}

struct SealedBatch: Sendable {
    let after: UUID
    /// The beginning of the values that the current key has sealed.
    let prefix: [UInt8]
    let limit: Int
}

extension FindSealed {
    func bind(_ bindings: inout Bindings) {
        bindings.append(batch.after, batch.prefix, Int32(batch.prefix.count), batch.limit)
    }

    static func decode(_ row: inout RowReader) throws(PostgresError) -> SealedValue {
        SealedValue(id: try row.next(), sealed: try row.next())
    }
}

/// Replaces a value if it is still the one that was read; a concurrent write stays.
protocol ReplaceSealed: Statement where Row == Void {
    var change: SealedChange { get }
    init(_ change: SealedChange)
}

struct SealedChange: Sendable {
    let id: UUID
    let old: [UInt8]
    let new: [UInt8]
}

extension ReplaceSealed {
    func bind(_ bindings: inout Bindings) { bindings.append(change.id, change.old, change.new) }
}

/// A column whose values ``PersonalDataCipher`` seals. Every such column must be in ``all``: a column that is missing
/// there is never sealed again, and data would be lost with the removal of its old key.
struct SealedColumn: Sendable {
    /// `table.column`.
    let name: String
    let field: PersonalDataCipher.Field
    /// Rows in a batch; few where values are large.
    let batchRows: Int
    private(set) var find: @Sendable (PostgresPool, SealedBatch) async throws -> [SealedValue]
    /// Returns the number of changed rows.
    let replace: @Sendable (PostgresPool, SealedChange) async throws -> Int

    init<Find: FindSealed, Replace: ReplaceSealed>(
        _ name: String, _ field: PersonalDataCipher.Field, _: Find.Type, _: Replace.Type, batchRows: Int = 200
    ) {
        self.name = name
        self.field = field
        self.batchRows = batchRows
        find = { pool, batch in try await pool.query(Find(batch)) }
        replace = { pool, change in try await pool.execute(Replace(change)) }
    }

    /// The same column with another way to find values.
    func finding(
        _ find: @escaping @Sendable (PostgresPool, SealedBatch) async throws -> [SealedValue]
    ) -> SealedColumn {
        var column = self
        column.find = find
        return column
    }

    static let all = [
        SealedColumn("accounts.email", .email, FindSealedEmails.self, ReplaceSealedEmail.self),
        SealedColumn("accounts.mobile", .mobile, FindSealedMobiles.self, ReplaceSealedMobile.self),
        SealedColumn("accounts.birth_date", .birthDate, FindSealedBirthDates.self, ReplaceSealedBirthDate.self),
        SealedColumn("contact_changes.value", .newContact, FindSealedContacts.self, ReplaceSealedContact.self),
        SealedColumn("saved_places.sealed", .place, FindSealedPlaces.self, ReplaceSealedPlace.self),
        SealedColumn("recent_places.sealed", .recentPlace, FindSealedRecentPlaces.self, ReplaceSealedRecentPlace.self),
        SealedColumn(
            "billing_addresses.sealed", .billingAddress, FindSealedBillingAddresses.self,
            ReplaceSealedBillingAddress.self),
        SealedColumn("shared_places.place", .sharedPlace, FindSealedSharedPlaces.self, ReplaceSealedSharedPlace.self),
        SealedColumn("national_ids.sealed", .nationalID, FindSealedNationalIDs.self, ReplaceSealedNationalID.self),
        SealedColumn("nafath_tickets.claims", .nafath, FindSealedNafathClaims.self, ReplaceSealedNafathClaims.self),
        SealedColumn(
            "second_factors.sealed", .secondFactor, FindSealedSecondFactors.self, ReplaceSealedSecondFactor.self),
        SealedColumn("role_details.sealed", .details, FindSealedDetails.self, ReplaceSealedDetails.self),
        SealedColumn("avatars.sealed", .avatar, FindSealedAvatars.self, ReplaceSealedAvatar.self, batchRows: 4),
        SealedColumn("documents.sealed", .document, FindSealedDocuments.self, ReplaceSealedDocument.self, batchRows: 2),
    ]
}
