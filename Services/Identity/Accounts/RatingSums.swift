import Postgres

/// The ratings that the messages of a batch tell. Their sums are written right before the commit, with one statement and in
/// one order of the rows, so two batches wait for one another there, and never in a circle.
final class RatingSums: CommitParticipant {
    private var given: [AddRatings.Given] = []

    /// The transaction's.
    static func of(_ transaction: PostgresTransaction) -> RatingSums {
        transaction.participant(RatingSums.self) { RatingSums() }
    }

    func add(_ rating: AddRatings.Given) { given.append(rating) }

    func willCommit(_ transaction: PostgresTransaction) { transaction.send(AddRatings(given: given)) }
}
