/// A mobile number in E.164 form: `+966501234567`.
struct MobileNumber: Hashable, Sendable {
    let text: String
    /// As the same digits were kept before there was a plan of numbers: with the zero of calls inside the country. Nil where that
    /// is the same.
    var former: String?
}
