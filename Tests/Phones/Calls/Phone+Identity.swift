public import Contracts
public import Foundation

extension UUID {
    /// As the services write ids.
    public var path: String { uuidString.lowercased() }
}

extension Phone {
    private struct Registration: Encodable {
        let market, role, name, email, mobile, password, language: String
        let gender, title: String?
        let address: Address?
        let terms, birthDate: String?

        struct Address: Encodable {
            var label = "home"
            var name = "Home"
            let coordinates: Coordinate
        }
    }

    private struct SignIn: Encodable { let login, password: String }

    /// Makes an account; it is not signed in by that.
    ///
    /// - Parameter home: for markets that ask for an address.
    @discardableResult
    public func register(
        _ person: Person, market: String, role: String, living home: Coordinate? = nil
    ) async throws -> AccountView {
        let onboarding = Market.named(market)?.onboarding
        let form = Registration(
            market: market, role: role, name: person.name, email: person.email, mobile: person.mobile,
            password: person.password, language: person.language, gender: person.gender, title: person.title,
            address: home.map { Registration.Address(coordinates: $0) },
            terms: onboarding?.terms?.version, birthDate: onboarding?.customerAges == nil ? nil : "1990-05-17")
        return try await send(try Call.post("/identity/v1/accounts", form).anonymous()).decode()
    }

    /// - Parameter login: e-mail or mobile.
    @discardableResult
    public func signIn(login: String, password: String) async throws -> SessionView {
        let form = SignIn(login: login, password: password)
        let session: SessionView = try await send(try Call.post("/identity/v1/sessions", form).anonymous()).decode()
        await signIn(session)
        return session
    }

    /// With a second factor. A code is good for one login: who comes right after another waits for the next one.
    public func signIn(login: String, password: String, secondFactor: String) async throws {
        struct Challenge: Decodable { let challenge: String }
        guard let app = AuthenticatorApp(secondFactor) else { throw NotSignedIn() }
        let form = SignIn(login: login, password: password)
        let asked: Challenge = try await send(try Call.post("/identity/v1/sessions", form).anonymous()).decode()
        for isLast in [false, true] {
            let shown = ["challenge": asked.challenge, "code": app.code(at: Date())]
            do {
                let call = try Call.post("/identity/v1/sessions/second-factor", shown).anonymous()
                await signIn(try await send(call).decode(SessionView.self))
                return
            } catch let refusal as Refusal where refusal.slug == "proof-refused" && !isLast {
                let passed = Date().timeIntervalSince1970
                    .truncatingRemainder(dividingBy: AuthenticatorApp.stepSeconds)
                try await Task.sleep(for: .seconds(AuthenticatorApp.stepSeconds - passed + 0.5))
            }
        }
    }

    /// Another role for the account that is signed in. The token knows of it after the next sign-in.
    public func takeRole(market: String, role: String, title: String? = nil) async throws {
        struct Form: Encodable {
            let market, role: String
            let title, terms: String?
        }
        let terms = Market.named(market)?.onboarding.terms?.version
        try await send(
            try .post(
                "/identity/v1/accounts/me/roles", Form(market: market, role: role, title: title, terms: terms)))
    }

    public func setLanguage(_ language: String) async throws {
        try await send(try .patch("/identity/v1/accounts/me", ["language": language]))
    }
}
