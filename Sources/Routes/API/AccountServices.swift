public import Accounts
public import Crypto
public import Platform

/// What the use cases of accounts work with, whichever project they are about.
public struct AccountServices: Sendable {
    let store: any AccountStore
    let issuer: IDTokenIssuer
    let verifier: IDTokenVerifier
    let passwords: PasswordHashing
    let clock: WallClock
    let randomness: Randomness

    /// Collects them.
    public init(
        store: any AccountStore, issuer: IDTokenIssuer, verifier: IDTokenVerifier, passwords: PasswordHashing, clock: WallClock,
        randomness: Randomness
    ) {
        self.store = store
        self.issuer = issuer
        self.verifier = verifier
        self.passwords = passwords
        self.clock = clock
        self.randomness = randomness
    }

    func signUp(_ policy: AccountPolicy) -> SignUp {
        SignUp(
            store: store, policy: policy, issuer: issuer, verifier: verifier, passwords: passwords, clock: clock, randomness: randomness)
    }

    func lookup(_ policy: AccountPolicy) -> LookupAccounts {
        LookupAccounts(store: store, policy: policy, verifier: verifier, clock: clock)
    }

    func delete(_ policy: AccountPolicy) -> DeleteAccount {
        DeleteAccount(store: store, policy: policy, verifier: verifier, clock: clock)
    }

    func refresh(_ policy: AccountPolicy) -> RefreshSession {
        RefreshSession(store: store, policy: policy, issuer: issuer, clock: clock)
    }

    func signInWithPassword(_ policy: AccountPolicy) -> SignInWithPassword {
        SignInWithPassword(store: store, policy: policy, issuer: issuer, passwords: passwords, clock: clock, randomness: randomness)
    }

    func update(_ policy: AccountPolicy) -> UpdateAccount {
        UpdateAccount(
            store: store, policy: policy, issuer: issuer, verifier: verifier, passwords: passwords, clock: clock, randomness: randomness)
    }

    func createAuthURI(_ policy: AccountPolicy) -> CreateAuthURI {
        CreateAuthURI(store: store, policy: policy, randomness: randomness)
    }

    func list(_ policy: AccountPolicy) -> ListAccounts { ListAccounts(store: store, policy: policy) }

    func query(_ policy: AccountPolicy) -> QueryAccounts { QueryAccounts(store: store, policy: policy) }

    func deleteMany(_ policy: AccountPolicy) -> DeleteAccounts { DeleteAccounts(store: store, policy: policy) }
}
