import Foundation

/// The deletion of an account (I12): asked for, then refused or granted as soon as every service with data of the
/// account has said what is open.
struct Deletion: Hashable, Sendable {
    enum State: String, Sendable { case asked, refused, granted }

    /// The services that are asked.
    enum Service: String, Sendable, CaseIterable { case dispatch, wallet }

    /// A service's answer: what is open.
    struct Answer: Hashable, Sendable {
        let obstacles: [String]
        let orders: [UUID]
        var owed: [Owed] = []
    }

    /// A debt of the person in one currency, in minor units.
    struct Owed: Hashable, Sendable, Codable {
        let amount: Int
        let currency: String
    }

    /// The person who asked for the deletion.
    enum Word: Hashable, Sendable {
        case owner
        case admin(UUID, market: String)
    }

    /// The obstacle that the account is an admin's.
    static let adminObstacle = "admin"
    static let noAnswerObstacle = "no-answer"
    /// The deletion is refused when answers are missing after this time.
    static let patienceSeconds: Double = 300
    /// The outcome is kept for this time.
    static let keptSeconds: Double = 30 * 86_400

    let id: UUID
    let account: UUID
    /// The account's version when the deletion was asked for.
    let version: Int
    let word: Word
    let askedAt: Date
    private(set) var state: State
    private(set) var answers: [Service: Answer]
    private(set) var isGivenUp: Bool

    init(
        id: UUID, account: UUID, version: Int, word: Word, askedAt: Date, state: State = .asked,
        answers: [Service: Answer] = [:], isGivenUp: Bool = false
    ) {
        self.id = id
        self.account = account
        self.version = version
        self.word = word
        self.askedAt = askedAt
        self.state = state
        self.answers = answers
        self.isGivenUp = isGivenUp
    }

    /// The obstacles in the order of the services.
    var obstacles: [String] {
        var all = Service.allCases.flatMap { answers[$0]?.obstacles ?? [] }
        if isGivenUp { all.append(Self.noAnswerObstacle) }
        return all
    }

    var owed: [Owed] { Service.allCases.flatMap { answers[$0]?.owed ?? [] } }

    var orders: [UUID] { Service.allCases.flatMap { answers[$0]?.orders ?? [] } }

    /// Stores a service's answer.
    ///
    /// - Parameter staysFor: an obstacle beside the services' answers: the account is an admin's now.
    /// - Returns: whether this answer decides the deletion. Repeated and late answers do not.
    mutating func hear(_ answer: Answer, from service: Service, staysFor obstacle: String? = nil) -> Bool {
        guard state == .asked, answers[service] == nil else { return false }
        answers[service] = answer
        guard Service.allCases.allSatisfy({ answers[$0] != nil }) else { return false }
        if let obstacle {
            answers[service] = Answer(
                obstacles: answer.obstacles + [obstacle], orders: answer.orders, owed: answer.owed)
        }
        state = obstacles.isEmpty ? .granted : .refused
        return true
    }

    /// Refuses the deletion because answers are missing.
    ///
    /// - Returns: false when it was already decided.
    mutating func giveUp() -> Bool {
        guard state == .asked else { return false }
        isGivenUp = true
        state = .refused
        return true
    }
}
