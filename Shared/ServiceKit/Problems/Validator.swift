import Foundation

/// Collects the errors of an input, so that all are answered together.
///
/// ```swift
/// let validator = Validator()
/// validator.check("name", input.name, .length(1...100))
/// validator.check("email", input.email, .email)
/// try validator.finish()
/// ```
/// Created, filled and finished in one place; not for sharing between tasks.
public final class Validator {
    public private(set) var problems: [FieldProblem] = []

    public init() {}

    public var isValid: Bool { problems.isEmpty }

    /// Notes an error that no rule knows. For each field only the first error is kept.
    public func reject(_ pointer: JSONPointer, _ code: String, _ arguments: [String: String] = [:]) {
        guard !problems.contains(where: { $0.pointer == pointer }) else { return }
        problems.append(FieldProblem(pointer, code, arguments))
    }

    /// Checks a text by the rules in order, up to the first that fails.
    ///
    /// - Returns: whether the text is valid.
    @discardableResult
    public func check(_ pointer: JSONPointer, _ text: String, _ rules: TextRule...) -> Bool {
        check(pointer, text, rules)
    }

    func check(_ pointer: JSONPointer, _ text: String, _ rules: [TextRule]) -> Bool {
        for rule in rules {
            if let problem = rule.problem(with: text) {
                reject(pointer, problem.code, problem.arguments)
                return false
            }
        }
        return true
    }

    /// Checks that a number lies in a range.
    @discardableResult
    public func check<Number: Comparable & Sendable>(
        _ pointer: JSONPointer, _ value: Number, in range: ClosedRange<Number>
    ) -> Bool {
        guard !range.contains(value) else { return true }
        reject(pointer, "out-of-range", ["minimum": "\(range.lowerBound)", "maximum": "\(range.upperBound)"])
        return false
    }

    /// A 422 with every wrong field.
    public var problem: Problem { .invalidFields(problems) }

    /// - Throws: a 422 ``Problem`` with every wrong field, if there is one.
    public func finish() throws(Problem) {
        guard isValid else { throw problem }
    }
}
