internal import Glibc

/// SIGTERM and SIGINT as one `Shutdown`.
public enum TerminationSignals {
    /// Blocks the two signals in this thread and all that it will start; call first thing in `main`. Also ignores SIGPIPE, since a
    /// peer that goes away is an error to return, not a reason to die.
    public static func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = both()
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Triggers `shutdown` at the first signal. A second one ends the process at once, with the shell's exit code for it (128 + number).
    public static func forward(to shutdown: Shutdown) {
        _ = SystemThread(name: "signals") {
            var set = both()
            var received: Int32 = 0
            unsafe sigwait(&set, &received)
            shutdown.trigger()
            unsafe sigwait(&set, &received)
            _exit(128 + received)
        }
    }

    private static func both() -> sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, SIGTERM)
        unsafe sigaddset(&set, SIGINT)
        return set
    }
}
