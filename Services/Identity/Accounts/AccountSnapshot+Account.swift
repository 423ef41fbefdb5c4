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
                var told = AccountSnapshot.Role(
                    market: role.market, role: role.kind.rawValue, title: role.title, verified: role.isVerified,
                    vehicle: role.vehicle)
                told.car = role.car.map {
                    AccountSnapshot.Car(plate: $0.plate, maker: $0.maker, model: $0.model, colour: $0.colour)
                }
                return told
            }, avatar: account.avatar, muted: account.choices.muted)
    }
}
