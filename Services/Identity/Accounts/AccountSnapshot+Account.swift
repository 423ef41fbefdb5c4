import Contracts
import Foundation

extension AccountSnapshot {
    /// The part of an account that other services receive: no e-mail address, no mobile number, and no role that a ban
    /// blocks.
    init(_ account: Account, at now: Date) {
        self.init(
            account: account.id, version: account.version, name: account.name.text,
            gender: account.gender.flatMap { Gender(rawValue: $0.rawValue) }, language: account.language.rawValue,
            roles: account.roles(at: now).map { role in
                AccountSnapshot.Role(
                    market: role.market, role: role.kind.rawValue, title: role.title, verified: role.isVerified,
                    vehicle: role.vehicle)
            }, avatar: account.avatar, muted: account.choices.muted)
    }
}
