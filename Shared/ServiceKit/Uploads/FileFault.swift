import HTTPTypes

/// Why a file is not taken.
public enum FileFault: Error, Hashable, Sendable {
    /// It is not what it says, is cut off, or holds what is not understood.
    case unreadable
    /// Width or height are above what is allowed.
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
