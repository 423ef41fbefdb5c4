/// Generates passwords that satisfy the rule, for accounts made by a command.
enum PasswordMaker {
    static let characters = 20
    /// Without characters that look alike.
    private static let alphabet = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")

    /// About 115 random bits.
    static func make() -> String {
        while true {
            let password = String((0..<characters).compactMap { _ in alphabet.randomElement() })
            if PasswordRule.accepts(password) { return password }
        }
    }
}
