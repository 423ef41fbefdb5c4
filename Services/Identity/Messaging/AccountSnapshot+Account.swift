import Contracts

extension AccountSnapshot {
    /// What others are told of an account: nothing that reaches the person outside.
    init(_ account: Account) {
        self.init(
            account: account.id, version: account.version, name: account.name.text,
            gender: account.gender.flatMap { Gender(rawValue: $0.rawValue) }, language: account.language.rawValue,
            roles: account.roles.map { role in
                AccountSnapshot.Role(
                    market: role.market, role: role.kind.rawValue, title: role.title, verified: role.isVerified)
            })
    }
}
