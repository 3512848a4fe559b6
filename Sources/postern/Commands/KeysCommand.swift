internal import Accounts
internal import Crypto
internal import Routes

/// `postern keys`: the keys that sign ID tokens.
struct KeysCommand {
    private let options: KeysOptions

    init(_ options: KeysOptions) {
        self.options = options
    }

    func run() throws(CommandFailure) {
        let configuration = try ConfigurationFile(options.config).read()
        try CommandFailure.catching(.unavailable) { () throws(TokenKeyError) in
            let keys = try TokenKeys(folder: configuration.tokenKeysPath, publication: TokenKeyPublication.cacheTime)
            if options.action == .rotate {
                try keys.rotate()
                Console.print(
                    "a new key is published; it signs in \(TokenKeyPublication.cacheTime.components.seconds / 60) minutes, when verifiers know it"
                )
            }
            let current = keys.current
            // Younger ones than the one that signs wait for their turn.
            var isPending = true
            for key in current.published {
                let role =
                    if key.keyID == current.signingKey.keyID {
                        "signs"
                    } else {
                        isPending ? "published, signs soon" : "verifies until its last token has expired"
                    }
                if key.keyID == current.signingKey.keyID { isPending = false }
                Console.print("\(key.keyID)  \(key.algorithm.rawValue)  \(role)")
            }
        }
    }
}
