import HTTPTypes

/// Why a file is refused.
public enum FileFault: Error, Hashable, Sendable {
    /// The file does not have its declared type, is cut off, or contains parts that are not understood.
    case unreadable
    /// Width or height exceed the limit.
    case tooManyPixels(maximumSide: Int)
}

extension FileFault: ProblemConvertible {
    public var problem: Problem {
        switch self {
        case .unreadable: Problem("file-refused", status: .unprocessableContent)
        case .tooManyPixels(let side):
            Problem("image-too-large", status: .unprocessableContent, arguments: ["maximum": String(side)])
        }
    }
}
