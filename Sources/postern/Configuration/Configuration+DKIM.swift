internal import Crypto
internal import Mail

extension Configuration {
    /// What signs the mails of each project, by its id; projects without keys are left out.
    ///
    /// - Throws: all keys that cannot be used, one a line.
    func makeMailSigners() throws(CommandFailure) -> [String: DKIMSigner] {
        var signers: [String: DKIMSigner] = [:]
        var problems: [String] = []
        for (index, project) in projects.enumerated() where !project.dkim.isEmpty {
            var identities: [DKIMIdentity] = []
            for (number, settings) in project.dkim.enumerated() {
                do throws(CryptoError) {
                    identities.append(try settings.makeIdentity())
                } catch {
                    problems.append("\(dkimKeyPath(index, number)).privateKey: \(error)")
                }
            }
            signers[project.id] = DKIMSigner(identities, sha256: SHA256.digest)
        }
        guard problems.isEmpty else { throw CommandFailure(.configuration, problems.joined(separator: "\n")) }
        return signers
    }

    /// What works, but not as an operator will want it: a line for each.
    var dkimAdvice: [String] {
        projects.enumerated().flatMap { index, project in
            project.dkim.enumerated().flatMap { number, settings in
                settings.advice(from: project.mailFrom.address).map { "\(dkimKeyPath(index, number)).\($0)" }
            }
        }
    }

    private func dkimKeyPath(_ project: Int, _ number: Int) -> String {
        "projects[\(project)].mail.dkim" + (projects[project].dkim.count > 1 ? "[\(number)]" : "")
    }
}
