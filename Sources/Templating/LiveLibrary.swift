internal import Synchronization

/// A library that is read again when its folder changes. One with mistakes is not taken: the last good one goes on, and the mistakes can
/// be seen.
public final class LiveLibrary<Library: Sendable>: Sendable {
    private struct State {
        var current: Library
        var mistakes: TemplateLibraryError?
    }

    private let read: @Sendable () throws(TemplateLibraryError) -> Library
    private let state: Mutex<State>

    /// Reads for the first time; throws what is wrong.
    public init(_ read: @escaping @Sendable () throws(TemplateLibraryError) -> Library) throws(TemplateLibraryError) {
        self.read = read
        state = Mutex(State(current: try read(), mistakes: nil))
    }

    /// The last good one.
    public var current: Library { state.withLock { $0.current } }

    /// What was wrong when it was read last; nil when nothing was.
    public var mistakes: TemplateLibraryError? { state.withLock { $0.mistakes } }

    /// Reads again.
    public func reload() {
        do throws(TemplateLibraryError) {
            let library = try read()
            state.withLock { $0 = State(current: library, mistakes: nil) }
        } catch {
            state.withLock { $0.mistakes = error }
        }
    }
}
