import NIOCore
import NIOPosix

/// One thread for many phones: their connections are served on it, and tasks that prefer it run on it too. An answer then
/// reaches the task that asked without a change of threads. Timers, and chores of the HTTP client, are elsewhere.
///
/// For programs that do nothing but play phones: whatever blocks it stops them all. Tests share the threads of all.
public final class PhoneThread: TaskExecutor {
    let group: MultiThreadedEventLoopGroup
    private let loop: any EventLoop

    /// The thread lives as long as the program.
    public init() {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop = group.next()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
