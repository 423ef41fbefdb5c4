import Contracts
import Foundation
import Messaging
import Postgres

/// An admin's offer of a role in a market to a person with an account, named by a proved address or number (P1, I13).
/// The person accepts by the link of the mail or SMS.
struct OfferRole: Sendable {
    let cipher: PersonalDataCipher
    let deliver: RequestDelivery
    let managePeople: ManagePeople

    /// Sends an offer. The admin is not told whether the account exists or the offer was sent. No offer goes to a
    /// person who already has the role, may not have it, or got an offer within the hour.
    ///
    /// - Throws: ``IdentityError/rightsLost``.
    func callAsFunction(
        _ role: Role, to contact: NewContact, by admin: UUID, at now: Date, in transaction: PostgresTransaction
    ) async throws {
        let market = role.market
        let rights = try await AdminRights.lock(of: admin, in: market, at: now, in: transaction)
        guard let id = try await find(contact, in: transaction), id != admin,
            let account = try await Accounts.lockIfFound(id, in: transaction), !account.isStaff || rights.isMaster,
            account.ban(in: market, at: now) == nil, account.role(like: role) == nil
        else { return }
        let token = RefreshToken.generate()
        let end = now.addingTimeInterval(ProofRule.invitationSeconds)
        let stored = try await transaction.first(
            PutRoleOffer(
                account: id, role: role, hash: token.hash, admin: admin, now: now, expiresAt: end,
                before: now.addingTimeInterval(-ProofRule.slowSeconds)))
        guard stored != nil else { return }
        // Sent to the proved contact that the admin named: another contact of the account may belong to a stranger.
        try await deliver.send(
            .roleOffered(token: token.text, market: Market.named(market)?.name ?? ["en": market]),
            to: RequestDelivery.Recipient(account: id, name: account.name, language: account.language),
            by: RequestDelivery.Way(channel: contact.kind == .email ? .mail : .sms, address: contact.text), until: end,
            at: now, in: transaction)
        // Nothing is published for the audit log, which would show that the account exists. The acceptance is
        // published.
    }

    /// Accepts an offer. An offer that is not accepted for want of something stays good.
    ///
    /// - Parameters:
    ///   - link: the token in the link.
    ///   - rules: of taking a role, now.
    ///   - bring: what the person brings with the role, checked against the account as it is.
    /// - Throws: ``IdentityError/proofRefused``, also when the admin who made the offer has lost the rights; the errors
    ///   of ``ManagePeople/give(_:to:by:rules:at:in:bring:)``.
    func accept(
        link: String, rules: RoleRules, at now: Date, in transaction: PostgresTransaction,
        bring: @escaping (Role, Profile) throws -> BroughtWithRole
    ) async throws {
        let hash = try SendProof.hash(link: link)
        guard let offer = try await transaction.first(UseRoleOffer(hash: hash, now: now)), let kind = offer.kind else {
            throw IdentityError.proofRefused
        }
        var role = Role.customer(in: offer.market)
        if kind == .provider, let title = offer.title { role = .provider(in: offer.market, title: title) }
        do {
            _ = try await managePeople.give(
                role, to: offer.account, by: offer.admin, rules: rules, at: now, in: transaction, bring: bring)
        } catch IdentityError.rightsLost {
            throw IdentityError.proofRefused
        }
    }

    private func find(_ contact: NewContact, in transaction: PostgresTransaction) async throws -> UUID? {
        switch contact {
        case .mobile(let mobile):
            try await transaction.first(FindByMobile(mobileHash: cipher.hash(mobile.text, for: .mobile)))
        case .email(let email):
            try await transaction.first(FindByEmail(emailHash: cipher.hash(email.normalized, for: .email)))
        }
    }
}
