import Foundation
import Postgres

// Two statements for each column, written out because parameters stand for values and not for names.

struct FindSealedEmails: FindSealed {
    static let sql: SQL = """
        SELECT id, email FROM accounts WHERE id > $1 AND substring(email FROM 1 FOR $3) <> $2 ORDER BY id LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedEmail: ReplaceSealed {
    static let sql: SQL = "UPDATE accounts SET email = $3 WHERE id = $1 AND email = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedMobiles: FindSealed {
    static let sql: SQL = """
        SELECT id, mobile FROM accounts WHERE id > $1 AND substring(mobile FROM 1 FOR $3) <> $2 ORDER BY id LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedMobile: ReplaceSealed {
    static let sql: SQL = "UPDATE accounts SET mobile = $3 WHERE id = $1 AND mobile = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedBirthDates: FindSealed {
    static let sql: SQL = """
        SELECT id, birth_date FROM accounts WHERE id > $1 AND substring(birth_date FROM 1 FOR $3) <> $2 ORDER BY id LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedBirthDate: ReplaceSealed {
    static let sql: SQL = "UPDATE accounts SET birth_date = $3 WHERE id = $1 AND birth_date = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedSharedPlaces: FindSealed {
    static let sql: SQL = """
        SELECT account, place FROM shared_places WHERE account > $1 AND substring(place FROM 1 FOR $3) <> $2
        ORDER BY account LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedSharedPlace: ReplaceSealed {
    static let sql: SQL = "UPDATE shared_places SET place = $3 WHERE account = $1 AND place = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedNationalIDs: FindSealed {
    static let sql: SQL = """
        SELECT account, sealed FROM national_ids WHERE account > $1 AND substring(sealed FROM 1 FOR $3) <> $2
        ORDER BY account LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedNationalID: ReplaceSealed {
    static let sql: SQL = "UPDATE national_ids SET sealed = $3 WHERE account = $1 AND sealed = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedNafathClaims: FindSealed {
    static let sql: SQL = """
        SELECT account, claims FROM nafath_tickets WHERE account > $1 AND substring(claims FROM 1 FOR $3) <> $2
        ORDER BY account LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedNafathClaims: ReplaceSealed {
    static let sql: SQL = "UPDATE nafath_tickets SET claims = $3 WHERE account = $1 AND claims = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedSecondFactors: FindSealed {
    static let sql: SQL = """
        SELECT account, sealed FROM second_factors WHERE account > $1 AND substring(sealed FROM 1 FOR $3) <> $2
        ORDER BY account LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedSecondFactor: ReplaceSealed {
    static let sql: SQL = "UPDATE second_factors SET sealed = $3 WHERE account = $1 AND sealed = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedContacts: FindSealed {
    static let sql: SQL = """
        SELECT id, value FROM contact_changes WHERE id > $1 AND substring(value FROM 1 FOR $3) <> $2 ORDER BY id LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedContact: ReplaceSealed {
    static let sql: SQL = "UPDATE contact_changes SET value = $3 WHERE id = $1 AND value = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedRecentPlaces: FindSealed {
    static let sql: SQL = """
        SELECT id, sealed FROM recent_places WHERE id > $1 AND substring(sealed FROM 1 FOR $3) <> $2
        ORDER BY id LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedRecentPlace: ReplaceSealed {
    static let sql: SQL = "UPDATE recent_places SET sealed = $3 WHERE id = $1 AND sealed = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedPlaces: FindSealed {
    static let sql: SQL = """
        SELECT id, sealed FROM saved_places WHERE id > $1 AND substring(sealed FROM 1 FOR $3) <> $2 ORDER BY id LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedPlace: ReplaceSealed {
    static let sql: SQL = "UPDATE saved_places SET sealed = $3 WHERE id = $1 AND sealed = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedDetails: FindSealed {
    static let sql: SQL = """
        SELECT id, sealed FROM role_details WHERE id > $1 AND substring(sealed FROM 1 FOR $3) <> $2 ORDER BY id LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedDetails: ReplaceSealed {
    static let sql: SQL = "UPDATE role_details SET sealed = $3 WHERE id = $1 AND sealed = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedAvatars: FindSealed {
    static let sql: SQL = """
        SELECT account, sealed FROM avatars WHERE account > $1 AND substring(sealed FROM 1 FOR $3) <> $2 ORDER BY account LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedAvatar: ReplaceSealed {
    static let sql: SQL = "UPDATE avatars SET sealed = $3 WHERE account = $1 AND sealed = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}

struct FindSealedDocuments: FindSealed {
    static let sql: SQL = """
        SELECT id, sealed FROM documents WHERE id > $1 AND substring(sealed FROM 1 FOR $3) <> $2 ORDER BY id LIMIT $4
        """
    let batch: SealedBatch
    init(_ batch: SealedBatch) { self.batch = batch }
}

struct ReplaceSealedDocument: ReplaceSealed {
    static let sql: SQL = "UPDATE documents SET sealed = $3 WHERE id = $1 AND sealed = $2"
    let change: SealedChange
    init(_ change: SealedChange) { self.change = change }
}
