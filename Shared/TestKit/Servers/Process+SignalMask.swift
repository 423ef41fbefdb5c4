public import Foundation
import Glibc

extension Process {
    /// Starts the process with no signal blocked.
    ///
    /// A child inherits the signal mask of the thread that starts it, and the threads that run Swift tasks block most
    /// signals: a child started from there by `run()` alone, and its children, would never see SIGTERM or SIGINT.
    public func runWithSignalsUnblocked() throws {
        var none = sigset_t()
        var saved = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &saved)
        defer { pthread_sigmask(SIG_SETMASK, &saved, nil) }
        try run()
    }
}
