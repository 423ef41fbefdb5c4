import Contracts
import Foundation
import Messaging
import Postgres
import ServiceKit

/// Documents of providers for a market (I7): uploads, and admins' reads and decisions. Contents are encrypted, each
/// bound to its own row. An admin's read is published in the transaction that reads.
struct ProviderDocuments: Sendable {
    static let maximumBytes = 5_242_880
    /// Values in the list of missing things: the details, and the date of birth.
    static let details = "details"
    static let birthDate = "birthDate"

    let cipher: PersonalDataCipher
    let onboarding: @Sendable (_ market: String) -> Market.Onboarding
    let deliver: RequestDelivery
    let zone: @Sendable (_ market: String) -> TimeZone

    /// A file that is checked, sealed and ready to be stored.
    struct Prepared: Sendable {
        let id: UUID
        let mediaType: String
        let size: Int
        let digest: [UInt8]
        let sealed: [UInt8]
    }

    /// Checks and seals a file. Runs outside the caller's thread, which is the database's, because this takes
    /// milliseconds.
    ///
    /// - Throws: ``FileFault``.
    func prepare(_ bytes: [UInt8], for account: UUID) async throws -> Prepared {
        try await LongWork.run { [cipher] in
            let file = try UploadedFile(bytes, of: FileKind.papers, maximumSide: UploadedFile.maximumPaperSide)
            let id = UUID.timeOrdered()
            return Prepared(
                id: id, mediaType: file.kind.mediaType, size: file.bytes.count,
                digest: cipher.hash(file: file.bytes, of: account),
                sealed: try cipher.seal(bytes: file.bytes, .document, of: id))
        }
    }

    /// Stores the file in place of a waiting or rejected document. The same file again changes nothing.
    ///
    /// - Throws: ``IdentityError/noSuchDocument`` for a kind that the market does not ask of this provider,
    ///   ``AccountError/notAProvider``, ``IdentityError/banned(_:)``.
    func upload(
        _ file: Prepared, as kind: String, of id: UUID, in market: String, at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let account = try await Accounts.lock(id, in: transaction)
        if let ban = account.ban(in: market, at: now) { throw IdentityError.banned(ban) }
        guard !account.providers(in: market).isEmpty else { throw AccountError.notAProvider }
        guard asked(kind, of: account, in: market) != nil else { throw IdentityError.noSuchDocument }
        let rows = try await transaction.query(ListDocuments(account: id, market: market))
        guard !rows.contains(where: { $0.paper?.kind == kind && $0.digest == file.digest }) else { return }
        transaction.send(DeleteOpenDocument(account: id, market: market, kind: kind))
        transaction.send(
            InsertDocument(
                id: file.id, account: id, market: market, kind: kind, mediaType: file.mediaType, size: file.size,
                digest: file.digest, sealed: file.sealed, now: now))
        try transaction.publish(
            DocumentSubmitted(account: id, market: market, kind: kind, document: file.id, at: now))
    }

    /// The market's rule for this kind of paper, by the provider's titles. A paper counts for each title that asks for
    /// it.
    func asked(_ kind: String, of account: Account, in market: String) -> Market.Onboarding.Paper? {
        account.providers(in: market).compactMap(\.title).lazy.compactMap { title in
            onboarding(market).papers(of: title).first { $0.id == kind }
        }.first
    }

    /// Makes the account's verified roles wait whose required papers are not all there any more.
    func waitForMissing(
        _ account: inout Account, in market: String, at now: Date, _ transaction: PostgresTransaction
    ) async throws {
        var waiting: [Role] = []
        for role in account.providers(in: market) {
            let papers = try await papers(of: account.id, title: role.title, in: market, transaction)
            if !papers.missing.isEmpty, account.waitAgain(role), let after = account.role(like: role) {
                waiting.append(after)
            }
        }
        guard !waiting.isEmpty else { return }
        transaction.send(UpdateAccount(account: account))
        for role in waiting { transaction.send(PutRole(account: account.id, role: role, now: now)) }
        try transaction.publish(AccountChanged(account: AccountSnapshot(account, at: now), at: now))
    }

    /// The provider's documents, and the kinds that the market requires.
    func papers(
        of provider: UUID, title: String?, in market: String, _ transaction: PostgresTransaction
    ) async throws -> ProviderPapers {
        let rows = try await transaction.query(ListDocuments(account: provider, market: market))
        let asked = title.map { onboarding(market).papers(of: $0) } ?? []
        return ProviderPapers(papers: rows.compactMap(\.paper), required: asked.filter(\.isRequired).map(\.id))
    }

    /// The reasons why a provider of this title cannot be verified: required kinds without a verified document,
    /// ``details`` that are missing, an age that is too low or unknown (``birthDate``). They may be missing because an
    /// admin made the account, or because the title was another one.
    func missing(
        of provider: UUID, title: String?, in market: String, at now: Date, _ transaction: PostgresTransaction
    ) async throws -> [String] {
        var missing = try await papers(of: provider, title: title, in: market, transaction).missing
        guard let title else { return missing }
        let asked = onboarding(market).details(of: title).filter(\.isRequired)
        if !asked.isEmpty {
            let find = FindRoleDetails(account: provider, market: market, role: .provider)
            let values = try RecordIntake(cipher: cipher).open(try await transaction.first(find))
            if !asked.allSatisfy({ values[$0.id] != nil }) { missing.append(Self.details) }
        }
        if let least = onboarding(market).providerAges[title] {
            let sealed = try await transaction.first(FindProfileParts(account: provider))?.birthDate
            let born = try sealed.flatMap { CalendarDate(try cipher.open($0, .birthDate, of: provider)) }
            let today = CalendarDate(of: now, in: zone(market))
            if born.map({ $0.years(until: today) < least }) ?? true { missing.append(Self.birthDate) }
        }
        return missing
    }

    /// Applies an admin's decision about a document; a mail tells the provider the reason of a rejection. Repeating the
    /// current decision is refused, so that the second of two admins learns of the first; but a verified paper of which no
    /// last day is known gets one, and the provider does not wait for it. A verified provider whose required document is
    /// rejected waits again.
    ///
    /// - Parameters:
    ///   - reason: nil to verify.
    ///   - expiresOn: the last day on which a verified document holds, where the market asks for one.
    /// - Throws: ``IdentityError/noSuchDocument``, ``IdentityError/documentDecided(_:)``,
    ///   ``IdentityError/ownProvider``, ``IdentityError/noSuchAccount``, ``IdentityError/rightsLost``,
    ///   ``ExpiryFault``.
    func decide(
        _ document: UUID, of provider: UUID, in market: String, rejectedBecause reason: String?,
        expiresOn: CalendarDate? = nil, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        _ = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        var account = try await Accounts.lockConfirmed(provider, in: transaction)
        guard !account.providers(in: market).isEmpty else { throw IdentityError.noSuchDocument }
        guard provider != admin else { throw IdentityError.ownProvider }
        let all = try await transaction.query(ListDocuments(account: provider, market: market)).compactMap(\.paper)
        guard let paper = all.first(where: { $0.id == document }) else { throw IdentityError.noSuchDocument }
        let state: Role.State = reason == nil ? .verified : .rejected
        let asked = asked(paper.kind, of: account, in: market)
        let lacksDay = state == .verified && asked?.expires == true && paper.expiresOn == nil
        guard paper.state != state || lacksDay else { throw IdentityError.documentDecided(state) }
        let end = try state == .verified ? expiry(expiresOn, asked, in: market, at: now) : nil
        if let end { LapseDocuments.begin(document, until: end, in: zone(market), at: now, transaction) }
        if state == .verified {
            transaction.send(
                DeleteVerifiedDocument(account: provider, market: market, kind: paper.kind, kept: document))
        }
        if state == .rejected, all.contains(where: { $0.kind == paper.kind && $0.id != document }) {
            // Another document of the kind is there already, so the rejected one is deleted.
            transaction.send(DeleteDocument(document: document))
        } else {
            transaction.send(
                DecideDocument(
                    document: document, state: state, reason: reason, admin: admin, now: now, expiresOn: end))
        }
        try await waitForMissing(&account, in: market, at: now, transaction)
        if let reason {
            try await deliver(
                .documentRejected(
                    market: Market.named(market)?.name ?? ["en": market],
                    paper: asked?.name ?? ["en": paper.kind], reason: reason),
                to: account, until: now.addingTimeInterval(DecideProvider.mailSeconds), at: now, in: transaction)
        }
        // After a rejection it is the provider's turn.
        let isLast =
            !all.contains { $0.id != document && $0.state == .waiting }
            && (reason != nil || !account.providers(in: market).contains { $0.state == .waiting })
        try transaction.publish(
            DocumentDecided(
                account: provider, market: market, kind: paper.kind, document: document, isVerified: reason == nil,
                reason: reason, by: admin, at: now, isLast: isLast))
    }

    /// The last day of a paper that is being verified; nil for one that does not expire.
    private func expiry(
        _ day: CalendarDate?, _ asked: Market.Onboarding.Paper?, in market: String, at now: Date
    ) throws(ExpiryFault) -> CalendarDate? {
        guard asked?.expires == true else { return nil }
        guard let day else { throw .missing }
        guard day >= CalendarDate(of: now, in: zone(market)) else { throw .over }
        return day
    }

    /// Reads the encrypted contents, for ``open(_:of:)``, and publishes an admin's read.
    ///
    /// - Parameter admin: nil when the provider reads the own document.
    /// - Throws: ``IdentityError/noSuchDocument``.
    func contents(
        _ document: UUID, of provider: UUID, in market: String, by admin: UUID?, at now: Date,
        in transaction: PostgresTransaction
    ) async throws -> FindDocumentContents.Row {
        let find = FindDocumentContents(document: document, account: provider, market: market)
        guard let row = try await transaction.first(find) else { throw IdentityError.noSuchDocument }
        if let admin {
            try transaction.publish(
                DocumentViewed(
                    account: provider, market: market, kind: row.kind, document: document, by: admin, at: now))
        }
        return row
    }

    /// Decrypts the contents, outside the caller's thread as ``prepare(_:for:)``.
    func open(_ row: FindDocumentContents.Row, of document: UUID) async throws -> [UInt8] {
        try await LongWork.run { [cipher] in try cipher.open(bytes: row.sealed, .document, of: document) }
    }
}

/// The fault of a paper's last day.
enum ExpiryFault: String, Error, Equatable {
    /// The market asks for it with this paper.
    case missing = "required"
    /// The paper has expired already.
    case over = "paper-expired"
}

extension ExpiryFault: ProblemConvertible {
    var problem: Problem { .invalidFields([FieldProblem("expiresOn", rawValue)]) }
}
