import HTTPTypes
import Messaging
import SeraiJSON
import ServiceKit

/// How the service's errors look to callers.
extension IdentityError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .taken(let email, let mobile):
            let fields = [(email, "email"), (mobile, "mobile")].filter(\.0).map {
                FieldProblem(JSONPointer([$0.1]), "taken")
            }
            return Problem("account-exists", status: .conflict, fields: fields)
        case .noSuchAccount, .noSuchSession: return .notFound
        case .wrongCredentials:
            return Problem(
                "invalid-credentials", status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        case .loginDelayed(let seconds):
            return Problem(
                "login-delayed", status: .tooManyRequests, arguments: ["seconds": String(seconds)],
                extensions: ["retryAfterSeconds": .integer(Int64(seconds))],
                headers: [.retryAfter: String(seconds)])
        case .sessionEnded:
            return Problem("session-ended", status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        case .ownProvider, .ownAccount: return .ownMatter
        case .adminsBan, .mastersBan, .rightsLost, .adminsAccount:
            return .forbidden
        case .otherMarkets: return Problem("other-markets", status: .conflict)
        case .personBanned: return Problem("person-banned", status: .conflict)
        case .removalAsked: return Problem("removal-asked", status: .conflict)
        case .notConfirmed(let method):
            return Problem("not-confirmed", status: .forbidden, extensions: ["confirmation": .string(method)])
        case .contactUnproved(let kind):
            return Problem(
                kind == .mobile ? "mobile-unproved" : "email-unproved", status: .conflict,
                extensions: ["contact": .string(kind.rawValue)])
        case .contactProved(let kind):
            return Problem(
                "contact-proved", status: .conflict, extensions: ["contact": .string(kind.rawValue)])
        case .smsUsedUp(let isOfNumber):
            return Problem(
                isOfNumber ? "sms-number-used-up" : "sms-used-up",
                status: isOfNumber ? .tooManyRequests : .serviceUnavailable, headers: [.retryAfter: "3600"])
        case .termsNeeded(let version):
            return .invalidFields([FieldProblem("terms", "terms-version", ["version": version])])
        case .sentJustNow: return .tooManyRequests(retryAfterSeconds: Int(ProofRule.resendSeconds))
        case .tooManyPlaces(let maximum):
            return Problem("too-many-places", status: .conflict, arguments: ["maximum": String(maximum)])
        case .noSuchPlace, .noSuchDocument: return .notFound
        case .tooManyKeys(let maximum):
            return Problem("too-many-keys", status: .conflict, arguments: ["maximum": String(maximum)])
        case .wrongKey:
            return Problem("invalid-key", status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        case .placeChanged(let version):
            return Problem(
                "place-changed", status: .preconditionFailed, extensions: ["version": .integer(Int64(version))])
        case .documentDecided(let state):
            return Problem("document-decided", status: .conflict, extensions: ["state": .string(state.rawValue)])
        case .papersMissing(let papers):
            return Problem(
                "papers-missing", status: .conflict, arguments: ["papers": papers.joined(separator: ", ")],
                extensions: ["papers": .array(papers.map { .string($0) })])
        case .breachedPassword(let field):
            return .invalidFields([FieldProblem(JSONPointer([field]), "breached-password")])
        case .samePassword(let field):
            return .invalidFields([FieldProblem(JSONPointer([field]), "same-password")])
        case .nafathUnavailable:
            return Problem("nafath-unavailable", status: .serviceUnavailable, headers: [.retryAfter: "5"])
        case .nafathRefused: return Problem("nafath-refused", status: .unprocessableContent)
        case .nafathIncomplete(let missing):
            return Problem(
                "nafath-incomplete", status: .unprocessableContent,
                extensions: ["missing": .array(missing.map(JSONValue.string))])
        case .nafathNeeded: return Problem("nafath-needed", status: .forbidden)
        case .marketClosed: return Problem("market-closed-for-registration", status: .forbidden)
        case .onlyWayIn: return Problem("only-way-in", status: .conflict)
        case .secondFactor(let isThere):
            return isThere ? Problem("second-factor-exists", status: .conflict) : .notFound
        case .nationalIDTaken: return Problem("national-id-taken", status: .conflict)
        case .proofRefused: return Problem("proof-refused", status: .unprocessableContent)
        case .wrongPassword:
            return Problem(
                "invalid-fields", status: .unprocessableContent,
                fields: [FieldProblem("oldPassword", "wrong-password")])
        case .notThePassword:
            return Problem(
                "invalid-fields", status: .unprocessableContent, fields: [FieldProblem("password", "wrong-password")])
        case .loginTooOld: return Problem("login-too-old", status: .forbidden)
        case .deletionRefused(let obstacles, let orders, let owed):
            return Problem(
                "deletion-refused", status: .conflict, fields: obstacles.map { FieldProblem("account", $0) },
                extensions: [
                    "obstacles": .array(obstacles.map { .string($0) }),
                    "orders": .array(orders.map { .string($0.text) }),
                    "owed": .array(
                        owed.map {
                            .object(["amount": .integer(Int64($0.amount)), "currency": .string($0.currency)])
                        }),
                ])
        case .banned(let ban):
            let extensions: [String: JSONValue] = [
                "market": .string(ban.market), "reason": .string(ban.reason),
                "until": ban.until.map { .string(Timestamp.text($0)) } ?? .null,
            ]
            return Problem(
                ban.until == nil ? "banned" : "banned-until", status: .forbidden,
                arguments: ["reason": ban.reason, "until": ban.until.map(Timestamp.text) ?? ""],
                extensions: extensions)
        }
    }
}

extension AccountError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .hasRole(let state):
            Problem("role-exists", status: .conflict, extensions: ["state": .string(state.rawValue)])
        case .hasOtherRank: Problem("other-rank-exists", status: .conflict)
        case .severalTitles: .invalidFields([FieldProblem("title", "required")])
        case .noSuchRole: .invalidFields([FieldProblem("role", "not-your-role")])
        case .notAProvider, .notAnAdmin, .notBanned: .notFound
        case .alreadyDecided(let state):
            Problem("provider-decided", status: .conflict, extensions: ["state": .string(state.rawValue)])
        case .providerChanged(let title, let version):
            Problem(
                "provider-changed", status: .conflict,
                // `title` is the problem's own.
                extensions: ["providerTitle": .string(title), "version": .integer(Int64(version))])
        }
    }
}
