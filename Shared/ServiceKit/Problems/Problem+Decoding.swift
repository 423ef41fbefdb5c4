import Foundation

extension Problem {
    /// Describes a failed decoding to the caller: the place and the kind of the error, never the names of Swift types.
    ///
    /// `Decodable` stops at the first error, so there is one field. Use ``Form`` where all errors have to be answered
    /// together.
    public init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context):
            let code = Self.code(forType: type)
            self = .invalidFields([FieldProblem(Self.pointer(context.codingPath), code)])
        case .valueNotFound(_, let context):
            self = .invalidFields([FieldProblem(Self.pointer(context.codingPath), "required")])
        case .keyNotFound(let key, let context):
            self = .invalidFields([FieldProblem(Self.pointer(context.codingPath + [key]), "required")])
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self = .malformedBody
        case .dataCorrupted(let context):
            self = .invalidFields([FieldProblem(Self.pointer(context.codingPath), "invalid-value")])
        @unknown default:
            self = .malformedBody
        }
    }

    private static func pointer(_ path: [any CodingKey]) -> JSONPointer {
        JSONPointer(path.map { key in key.intValue.map(String.init) ?? key.stringValue })
    }

    private static func code(forType type: any Any.Type) -> String {
        switch type {
        case is String.Type, is Date.Type, is UUID.Type: "not-a-text"
        case is Bool.Type: "not-true-or-false"
        case is any FixedWidthInteger.Type: "not-a-whole-number"
        case is any BinaryFloatingPoint.Type, is Decimal.Type: "not-a-number"
        case is any Collection.Type where !(type is any DictionaryType.Type): "not-a-list"
        default: "not-an-object"
        }
    }
}

private protocol DictionaryType {}
extension Dictionary: DictionaryType {}
