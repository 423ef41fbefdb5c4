import Foundation

/// The deletion of an account, from the word to its end (I12): asked, then refused or granted as soon as everybody who
/// keeps something of the account has said what is open.
struct Deletion: Hashable, Sendable {
    enum State: String, Sendable { case asked, refused, granted }

    /// Who is asked.
    enum Service: String, Sendable, CaseIterable { case dispatch, wallet }

    /// What a service has answered.
    struct Answer: Hashable, Sendable {
        let obstacles: [String]
        let orders: [UUID]
    }

    /// Whose word it was.
    enum Word: Hashable, Sendable {
        case owner
        case admin(UUID, market: String)
    }

    /// The account is an admin's.
    static let adminObstacle = "admin"
    static let noAnswerObstacle = "no-answer"
    /// After so long without all answers it is refused.
    static let patienceSeconds: Double = 300
    /// The outcome is kept for so long.
    static let keptSeconds: Double = 30 * 86_400

    let id: UUID
    let account: UUID
    /// Of the account when it was asked.
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

    /// What stands in the way, each once, in the order of the services.
    var obstacles: [String] {
        var all = Service.allCases.flatMap { answers[$0]?.obstacles ?? [] }
        if isGivenUp { all.append(Self.noAnswerObstacle) }
        return all
    }

    var orders: [UUID] { Service.allCases.flatMap { answers[$0]?.orders ?? [] } }

    /// A service has answered.
    ///
    /// - Parameter staysFor: what keeps the account whatever the services say: it is an admin's by now.
    /// - Returns: whether it is decided by that. Repeats and late answers decide nothing.
    mutating func hear(_ answer: Answer, from service: Service, staysFor obstacle: String? = nil) -> Bool {
        guard state == .asked, answers[service] == nil else { return false }
        answers[service] = answer
        guard Service.allCases.allSatisfy({ answers[$0] != nil }) else { return false }
        if let obstacle {
            answers[service] = Answer(obstacles: answer.obstacles + [obstacle], orders: answer.orders)
        }
        state = obstacles.isEmpty ? .granted : .refused
        return true
    }

    /// Nobody waits for an answer any more.
    ///
    /// - Returns: false when it was decided before.
    mutating func giveUp() -> Bool {
        guard state == .asked else { return false }
        isGivenUp = true
        state = .refused
        return true
    }
}
