import Contracts
import Foundation
import HTTPTypes
import Messaging
import Postgres
import SeraiJSON
import ServiceKit

/// Changes what a market's admins write for everybody. The change and its audit entry are one transaction.
struct ChangeContent: Sendable {
    /// The entries of a section at most that no feed has brought.
    static let maximumEntries = 300
    /// The entries of a section that are read: with the imported news.
    static let shownEntries = maximumEntries + ImportFeeds.keptNews
    /// The newest versions of an entry that admins see.
    static let shownVersions = 100
    /// How far ahead something may be published.
    static let maximumAhead = 366 * 86_400.0

    enum Act: String, CaseIterable, Sendable {
        case added, changed, published, withdrawn, restored, moved, pictured, deleted

        /// In the audit log.
        var name: String { "content.\(rawValue)" }
    }

    let market: Market
    let section: ContentSection
    let admin: UUID
    let at: Date

    /// The section as it is, locked against others' changes until the commit.
    func lock(in transaction: PostgresTransaction) async throws -> [ContentRow] {
        try await transaction.queryAll(
            LockContent(market: market.id, section: section),
            ListContent(market: market.id, section: section, at: at)
        ).1
    }

    /// - Parameter expected: the version that the admin has seen; nil skips the check.
    /// - Throws: ``Problem``: 404 for an entry that there is not in this section; 412 if it was changed meanwhile.
    func lock(_ id: UUID, expected: Int?, in transaction: PostgresTransaction) async throws -> ContentRow {
        guard let row = try await lock(in: transaction).first(where: { $0.id == id }) else { throw Problem.notFound }
        if let expected, expected != row.version {
            throw Problem(
                "catalogue-changed", status: .preconditionFailed, arguments: ["version": String(row.version)],
                extensions: ["version": .integer(Int64(row.version))])
        }
        return row
    }

    /// Adds a draft at the end of the section.
    func add(_ content: Content, _ id: UUID, in transaction: PostgresTransaction) async throws {
        let rows = try await lock(in: transaction)
        guard !section.isAccepted || rows.isEmpty else { throw Self.oneText }
        // Imported news have a limit of their own.
        let own = section == .news ? rows.filter { $0.changedBy != nil } : rows
        guard own.count < Self.maximumEntries else {
            throw Problem(
                "too-many-entries", status: .conflict, arguments: ["maximum": String(Self.maximumEntries)])
        }
        transaction.send(
            InsertContentEntry(
                id: id, market: market.id, section: section, position: (rows.map(\.position).max() ?? 0) + 1))
        transaction.send(try InsertContentVersion(content, of: id, version: 1, by: admin, at: at))
        try record(.added, id, before: nil, after: content, in: transaction)
    }

    /// Writes a new version, a draft. A text that is as before makes none.
    func write(
        _ content: Content, _ act: Act = .changed, over row: ContentRow, in transaction: PostgresTransaction
    ) throws {
        let before = Content(stored: row.text)
        guard content != before else { return }
        transaction.send(try InsertContentVersion(content, of: row.id, version: row.version + 1, by: admin, at: at))
        transaction.send(SetContentVersion(entry: row.id, version: row.version + 1))
        try record(act, row.id, before: before, after: content, in: transaction)
    }

    /// Gives the text another picture, or none: a new version, a draft. Of another picture the words are to be written anew.
    func picture(_ image: CatalogueImage?, over row: ContentRow, in transaction: PostgresTransaction) throws {
        guard var content = Content(stored: row.text) else { throw Problem.notFound }
        if content.image != image?.name { content.alt = nil }
        content.image = image?.name
        if let image { transaction.send(StoreImage(market: market.id, image: image, at: at)) }
        try write(content, .pictured, over: row, in: transaction)
    }

    /// Has the newest version shown from a moment on; nil is now. Terms are what people accept from then on.
    func publish(_ row: ContentRow, at time: Date?, in transaction: PostgresTransaction) async throws {
        let isShown = row.shown == row.version
        let isLater = time.map { $0 > at } ?? false
        // A version that is shown already would vanish until then.
        guard !isShown else { return }
        if let content = Content(stored: row.text), content.image != nil, content.alt == nil {
            throw Problem("picture-without-words", status: .conflict)
        }
        transaction.send(UnscheduleContent(entry: row.id, now: at))
        transaction.send(
            PublishContentVersion(entry: row.id, version: row.version, at: isLater ? time ?? at : at, by: admin))
        if !isLater { transaction.send(HideContent(entry: row.id, until: nil)) }
        try record(
            .published, row.id,
            details: ["version": String(row.version), "at": Timestamp.text(isLater ? time ?? at : at)], in: transaction)
        guard section.isAccepted else { return }
        if isLater, let time {
            transaction.set(Deadline(kind: TellTerms.deadline, subject: market.id, dueAt: time))
        } else {
            transaction.clearDeadline(kind: TellTerms.deadline, subject: market.id)
            try await TellTerms.tell(market.id, at: at, in: transaction)
        }
    }

    /// Shows the entry to nobody until it is published again.
    ///
    /// - Throws: a 409 ``Problem`` for what people accept: there are always terms.
    func withdraw(_ row: ContentRow, in transaction: PostgresTransaction) throws {
        guard !section.isAccepted else { throw Self.oneText }
        transaction.send(UnscheduleContent(entry: row.id, now: at))
        transaction.send(HideContent(entry: row.id, until: at))
        try record(.withdrawn, row.id, details: ["version": String(row.version)], in: transaction)
    }

    /// Deletes an entry with all its versions; the audit log keeps the last text.
    ///
    /// - Throws: a 409 ``Problem`` for what people accept, and for what somebody sees or will see: it is withdrawn first.
    func delete(_ row: ContentRow, in transaction: PostgresTransaction) throws {
        guard !section.isAccepted else { throw Self.oneText }
        guard row.shown == nil, row.plannedAt == nil else { throw Problem("content-shown", status: .conflict) }
        transaction.send(DeleteContent(entry: row.id))
        let before = try Content(stored: row.text).map { PostgresJSON(try JSON.wire.encode($0)) }
        record(.deleted, row.id, before: before, after: nil, in: transaction)
    }

    /// Puts an entry before another, or at the end for nil.
    func move(_ id: UUID, before other: UUID?, in transaction: PostgresTransaction) async throws {
        let rows = try await lock(in: transaction)
        guard rows.contains(where: { $0.id == id }) else { throw Problem.notFound }
        guard other == nil || rows.contains(where: { $0.id == other }) else {
            throw Problem.invalidFields([FieldProblem("before", "not-an-id")])
        }
        var order = rows.map(\.id).filter { $0 != id }
        guard other != id else { return }
        order.insert(id, at: order.firstIndex { $0 == other } ?? order.endIndex)
        guard order != rows.map(\.id) else { return }
        for (index, entry) in order.enumerated() {
            transaction.send(SetContentPosition(entry: entry, position: index + 1))
        }
        try record(
            .moved, id, details: ["position": String((order.firstIndex(of: id) ?? 0) + 1)], in: transaction)
    }

    private static var oneText: Problem { Problem("one-text", status: .conflict) }

    // MARK: Audit

    private func record(
        _ act: Act, _ id: UUID, before: Content?, after: Content, in transaction: PostgresTransaction
    ) throws {
        record(
            act, id, before: try before.map { PostgresJSON(try JSON.wire.encode($0)) },
            after: PostgresJSON(try JSON.wire.encode(after)), in: transaction)
    }

    private func record(
        _ act: Act, _ id: UUID, details: [String: String], in transaction: PostgresTransaction
    ) throws {
        record(act, id, before: nil, after: try AuditEntry.values(details), in: transaction)
    }

    private func record(
        _ act: Act, _ id: UUID, before: PostgresJSON?, after: PostgresJSON?, in transaction: PostgresTransaction
    ) {
        transaction.send(
            InsertAudit(
                AuditEntry(
                    id: .timeOrdered(), at: at, market: market.id, service: AdminService.name, action: act.name,
                    account: admin, subject: "\(section.rawValue)/\(id.text)", before: before, after: after)))
    }
}
