import Foundation

@testable import SeraiDispatch

extension Date {
    /// The current time as the service has it.
    static var thisMillisecond: Date { Date().cutToMillisecond }
}
