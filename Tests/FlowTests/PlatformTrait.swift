import Contracts
import Phones
import Testing

/// Gives a suite a platform of its own, which its tests share.
struct PlatformTrait: SuiteTrait, TestScoping {
    let dispatchProcesses: Int
    let roles: [String]
    let settings: [MarketSettings.Key: String]
    /// Whose settings they are.
    let market: Market

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await Platform.withPlatform(dispatchProcesses: dispatchProcesses, roles: roles) { platform in
            if !settings.isEmpty {
                let desk = try await AdminDesk.signIn(platform)
                try await desk.change(settings, in: market.id)
            }
            try await Platform.$current.withValue(platform) { try await function() }
        }
    }
}

extension Trait where Self == PlatformTrait {
    /// - Parameters:
    ///   - roles: as ``Platform/withPlatform(dispatchProcesses:roles:settings:_:)`` has them.
    ///   - settings: of the market, from the beginning.
    static func platform(
        dispatchProcesses: Int = 1, roles: [String] = [], settings: [MarketSettings.Key: String] = [:],
        in market: Market = .assef
    ) -> PlatformTrait {
        PlatformTrait(dispatchProcesses: dispatchProcesses, roles: roles, settings: settings, market: market)
    }
}

extension AdminDesk {
    static func signIn(_ platform: Platform) async throws -> AdminDesk {
        try await platform.desk.signedIn(platform)
    }
}

/// The admin signs in once for a platform: a code of the second factor is good for one login.
actor DeskKeeper {
    private var signingIn: Task<AdminDesk, any Error>?

    func signedIn(_ platform: Platform) async throws -> AdminDesk {
        let task =
            signingIn
            ?? Task {
                try await AdminDesk.signIn(
                    login: platform.adminLogin, password: platform.adminPassword,
                    secondFactor: platform.adminSecondFactor, on: platform.network)
            }
        signingIn = task
        return try await task.value
    }
}
