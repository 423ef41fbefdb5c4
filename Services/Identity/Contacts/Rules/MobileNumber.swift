/// A mobile number in E.164 form: `+966501234567`.
struct MobileNumber: Hashable, Sendable {
    let text: String
    /// The form in which the same number was stored before numbering plans were applied: with the trunk zero. Nil when
    /// it is the same.
    var former: String?
}
