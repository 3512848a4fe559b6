internal import Accounts
internal import Crypto

/// `postern keys`: the keys that sign ID tokens.
struct KeysCommand {
    private let options: KeysOptions

    init(_ options: KeysOptions) {
        self.options = options
    }

    func run() throws(CommandFailure) {
        let configuration = try ConfigurationFile(options.config).read()
        try CommandFailure.catching(.unavailable) { () throws(TokenKeyError) in
            let keys = try TokenKeys(folder: configuration.tokenKeysPath)
            if options.action == .rotate {
                try keys.rotate()
                Console.print("a new key signs; a running server takes it up within seconds")
            }
            let current = keys.current
            for key in current.published {
                let role = key.keyID == current.signingKey.keyID ? "signs" : "verifies until its last token has expired"
                Console.print("\(key.keyID)  \(key.algorithm.rawValue)  \(role)")
            }
        }
    }
}
