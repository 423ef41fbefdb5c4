import Hummingbird

struct StatisticsView: ResponseEncodable, Sendable {
    struct Stars: Encodable, Sendable {
        let count: Int
        /// Of 5, to a hundredth.
        let mean: Double
    }

    struct Day: Encodable, Sendable {
        let day: String
        /// Requested on the day, by the state that they are in now.
        var orders: [String: Int] = [:]
        /// Of these, how many were accepted, and how long after the request.
        var accepted = 0
        var meanAcceptanceSeconds: Int?
        /// Completed on the day, and how long after the acceptance.
        var completed = 0
        var meanCompletionSeconds: Int?
        var starsByCustomers: Stars?
        var starsByProviders: Stars?
        /// Accounts made on the day that have a role in the market.
        var registered = 0

        init(day: String) { self.day = day }
    }

    let market: String
    let timeZone: String
    let days: [Day]
    /// How many people have each role at this moment.
    let people: [String: Int]
}
