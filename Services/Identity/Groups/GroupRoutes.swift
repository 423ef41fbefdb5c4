import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Messaging
import Postgres
import ServiceKit

/// Routes by which friends go together in groups (H5). A group of others is a 404.
struct GroupRoutes: Sendable {
    static let path = "identity/v1/accounts/me/groups"

    let parts: IdentityParts

    private var change: ChangeGroups { ChangeGroups() }

    func add(to router: Router<SeraiRequestContext>) {
        router.group("\(Self.path)", context: AuthenticatedContext.self)
            .get(use: list)
            .post(use: make)
            .put("{group}", use: edit)
            .delete("{group}", use: end)
            .post("{group}/members", use: invite)
            .post("{group}/agreement", use: agree)
            .delete("{group}/members/{account}", use: takeOut)
    }

    /// An account is in at most ``FriendGroup/maximumGroups`` groups, so there are no pages.
    private func list(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let account = context.caller.accountID
        let lines = try await parts.pool.query(ListGroups(account: account))
        return try .json(.ok, GroupList(lines, for: account))
    }

    private func make(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let once = try await IdempotentRequest(request, context: context)
        let (title, radius) = try Self.words(of: try await once.request.form(context: context))
        return try await parts.idempotency.answer(once) { transaction in
            let group = try await change.make(
                title, radius: radius, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return try .json(.created, GroupMade(group: group.id.text), at: "/\(Self.path)/\(group.id.text)")
        }
    }

    private func edit(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let group = try context.uuid("group")
        let (title, radius) = try Self.words(of: try await request.form(context: context))
        try await parts.pool.withTransaction { transaction in
            try await change.change(
                group, title, radius: radius, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }

    private static func words(of form: Form) throws -> (title: String, radius: Int?) {
        let title = form.showable("title", maximum: FriendGroup.titleLength)
        let radius = form.integer("radius", in: FriendGroup.radius, required: false)
        guard let title, form.isValid else { throw form.problem }
        return (title, radius)
    }

    private func end(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let group = try context.uuid("group")
        try await parts.pool.withTransaction { transaction in
            try await change.end(group, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }

    private func invite(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let group = try context.uuid("group")
        let once = try await IdempotentRequest(request, context: context)
        let form = try await once.request.form(context: context)
        guard let link = form.uuid("link"), form.isValid else { throw form.problem }
        return try await parts.idempotency.answer(once) { transaction in
            try await change.invite(
                link, to: group, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }

    private func agree(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let group = try context.uuid("group")
        let once = try await IdempotentRequest(request, context: context)
        return try await parts.idempotency.answer(once) { transaction in
            try await change.agree(group, by: context.caller.accountID, at: parts.clock(), in: transaction)
            return Response(status: .noContent)
        }
    }

    private func takeOut(_ request: Request, _ context: AuthenticatedContext) async throws -> Response {
        let (group, member) = (try context.uuid("group"), try context.uuid("account"))
        try await parts.pool.withTransaction { transaction in
            try await change.takeOut(
                member, of: group, by: context.caller.accountID, at: parts.clock(), in: transaction)
        }
        return Response(status: .noContent)
    }
}

extension FriendGroup.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .full: Problem("group-full", status: .conflict, arguments: ["maximum": String(FriendGroup.maximumMembers)])
        case .tooMany:
            Problem("too-many-groups", status: .conflict, arguments: ["maximum": String(FriendGroup.maximumGroups)])
        case .askedBefore:
            Problem(
                "asked-before", status: .tooManyRequests, arguments: ["maximum": String(AskingRule.maximum)],
                headers: [.retryAfter: String(Int(AskingRule.pauseSeconds))])
        }
    }
}

struct GroupMade: Encodable, Sendable {
    let group: String
}

struct GroupList: Encodable, Sendable {
    let items: [GroupView]

    init(_ lines: [ListGroups.Line], for account: UUID) {
        var groups: [(id: UUID, lines: [ListGroups.Line])] = []
        for line in lines {
            if groups.last?.id == line.group {
                groups[groups.count - 1].lines.append(line)
            } else {
                groups.append((line.group, [line]))
            }
        }
        items = groups.compactMap { GroupView($0.lines, for: account) }
    }
}

/// A group as shown to one of its people.
struct GroupView: Encodable, Sendable {
    struct Member: Encodable, Sendable {
        let account: String
        let name: String
        let leads: Bool
        let joined: Bool
        /// Shown to the leader and to the member.
        let strayedAt: Date?
    }

    let group: String
    let title: String
    /// In metres.
    let radius: Int?
    let leads: Bool
    /// Whether one is in it; else one is asked to join.
    let joined: Bool
    /// Who is only asked sees the leader; who is asked is seen by the leader.
    let members: [Member]

    /// - Parameter lines: of one group; nil without any.
    init?(_ lines: [ListGroups.Line], for account: UUID) {
        guard let first = lines.first else { return nil }
        group = first.group.text
        title = first.title
        radius = first.radius
        let (leads, joined) = (
            first.leader == account, lines.contains { $0.account == account && $0.hasJoined }
        )
        self.leads = leads
        self.joined = joined
        members = lines.filter { line in
            line.account == line.leader || line.account == account || leads || (joined && line.hasJoined)
        }.map { line in
            Member(
                account: line.account.text, name: line.name, leads: line.account == line.leader,
                joined: line.hasJoined, strayedAt: leads || line.account == account ? line.strayedAt : nil)
        }
    }
}
