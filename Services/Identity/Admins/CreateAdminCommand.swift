import ArgumentParser
import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit

/// `identity create-admin --email E --mobile M --name N [--market M]`
struct CreateAdminCommand: AsyncParsableCommand {
    static let passwordVariable = "SERAI_ADMIN_PASSWORD"
    static let secondFactorVariable = "SERAI_ADMIN_SECOND_FACTOR"

    static let configuration = CommandConfiguration(
        commandName: "create-admin", abstract: "Make an admin of a market, or a master admin of all.",
        discussion: """
            The password is taken from \(passwordVariable); without it one is made and printed. \(secondFactorVariable) \
            may hold the secret of its second factor, 32 characters of base 32; without it the first login may only enrol one. An account \
            that has the e-mail and the mobile already becomes an admin, with its own password, only if --grant names it.
            """)

    @Option(help: "E-mail address.")
    var email: String

    @Option(help: "Mobile number in E.164 form.")
    var mobile: String

    @Option(help: "Name.")
    var name: String

    @Option(help: "The market; * is all of them.")
    var market: String = Role.everyMarket

    @Option(help: "The id of the account that already has this e-mail and mobile, to make it an admin.")
    var grant: String?

    @Argument(parsing: .captureForPassthrough, help: "Configuration flags.")
    var flags: [String] = []

    func validate() throws {
        guard market == Role.everyMarket || Market.named(market) != nil else {
            throw ValidationError("There is no market \(market).")
        }
        guard grant == nil || grant.flatMap(UUID.init(uuidString:)) != nil else {
            throw ValidationError("--grant takes the id of an account.")
        }
    }

    func run() async throws {
        let given = ProcessInfo.processInfo.environment[Self.passwordVariable]
        let password = given ?? PasswordMaker.make()
        let secret = ProcessInfo.processInfo.environment[Self.secondFactorVariable]
        let secondFactor = secret.flatMap(TOTP.init(text:))
        guard secret == nil || secondFactor != nil else {
            throw ValidationError("\(Self.secondFactorVariable) is not 32 characters of base 32.")
        }
        let form: RegistrationForm
        do {
            form = try Self.form(name: name, email: email, mobile: mobile, password: password, market: market)
        } catch {
            throw ValidationError(Self.words(for: error))
        }
        try await IdentityService.withDatabase(
            flags: flags, needed: IdentityConfiguration.personal
        ) { pool, configuration, _ in
            let hasher = try PasswordHasher(threadCount: 1, limit: 1)
            defer { hasher.stop() }
            let create = CreateAdmin(
                pool: pool,
                register: RegisterAccount(cipher: try IdentityConfiguration.personalDataCipher(configuration)))
            let outcome = try await create(
                form.registration, passwordHash: try await hasher.hash(form.password), secondFactor: secondFactor,
                grantingTo: grant.flatMap(UUID.init(uuidString:)), at: Date())
            switch outcome {
            case .created(let account):
                print("created \(account.text)")
                if given == nil { print("password \(password)") }
                if let secondFactor {
                    print("second factor \(secondFactor.text)")
                } else {
                    print("its first login may only enrol a second factor")
                }
            case .granted(let account): print("granted to \(account.text); the password is the old one")
            case .alreadyAdmin(let account): print("\(account.text) is an admin already")
            }
        }
    }

    /// Checks the arguments by the rules of a registration.
    static func form(
        name: String, email: String, mobile: String, password: String, market: String
    ) throws(Problem) -> RegistrationForm {
        let fields = Form(
            .object([
                "name": .string(name), "email": .string(email), "mobile": .string(mobile),
                "password": .string(password),
            ]))
        return try RegistrationForm(fields, role: .admin(of: market), language: { _ in .english })
    }

    private static func words(for problem: Problem) -> String {
        problem.fields.map { "\($0.pointer.tokens.joined(separator: ".")): \($0.code)" }.joined(separator: "\n")
    }
}
