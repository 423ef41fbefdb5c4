import Hummingbird

struct StatisticsView: ResponseEncodable, Sendable {
    struct Stars: Encodable, Sendable {
        let count: Int
        /// The mean of one to five stars, to two decimal places.
        let mean: Double

        init(_ mean: Mean) {
            count = mean.count
            self.mean = (mean.mean * 100).rounded() / 100
        }
    }

    struct Day: Encodable, Sendable {
        let day: String
        /// Orders requested on the day, by their current state.
        var orders: [String: Int] = [:]
        /// The accepted ones of these, and the mean time from request to acceptance.
        var accepted = 0
        var meanAcceptanceSeconds: Int?
        /// Orders completed on the day, and the mean time from acceptance to end.
        var completed = 0
        var meanCompletionSeconds: Int?
        var starsByCustomers: Stars?
        var starsByProviders: Stars?
        var starsByMerchants: Stars?
        /// Accounts registered on the day that have a role in the market.
        var registered = 0

        init(day: String) { self.day = day }
    }

    let market: String
    let timeZone: String
    let days: [Day]
    /// The current number of people with each role.
    let people: [String: Int]
}
