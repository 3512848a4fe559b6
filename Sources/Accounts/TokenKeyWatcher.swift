internal import Crypto
public import Platform

/// Makes a running server follow its key folder, so that `postern keys rotate` needs no restart.
public struct TokenKeyWatcher: Service {
    /// What the log calls it.
    public let name = "token keys"

    private let keys: TokenKeys
    private let interval: Duration
    private let logger: Logger

    /// Looks at the folder every `interval`; the default is 5 s, far less than the grace that a replaced key has.
    public init(keys: TokenKeys, interval: Duration = .seconds(5), logger: Logger) {
        self.keys = keys
        self.interval = interval
        self.logger = logger
    }

    /// Watches until `shutdown`.
    ///
    /// A folder that cannot be loaded does not end the server, whose keys are still good: it is reported once for each reason, and tried
    /// again at every look.
    public func run(until shutdown: Shutdown) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await watch() }
            await shutdown.wait()
            group.cancelAll()
        }
    }

    private func watch() async {
        var reported: TokenKeyError?
        while (try? await Task.sleep(for: interval)) != nil {
            do throws(TokenKeyError) {
                guard try keys.reloadIfChanged() else { continue }
                reported = nil
                let set = keys.current
                logger.info(
                    "token keys loaded", [("signing", set.signingKey.keyID), ("published", String(set.published.count))])
            } catch {
                guard error != reported else { continue }
                reported = error
                logger.error(
                    "token keys not loaded, the earlier ones stay in use", [("code", error.code), ("reason", error.description)])
            }
        }
    }
}
