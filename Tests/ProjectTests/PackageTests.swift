import Foundation
import TestSupport
import Testing

/// The Debian package, made from the binary under test.
@Suite(
    .timeLimit(.minutes(2)),
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-shlibdeps"), "there is no dpkg-dev to make it"))
struct PackageTests {
    /// One package, shared by the tests that only read it.
    private static let made = Task {
        let folder = try TemporaryFolder()
        return (folder, path: try await package(in: folder.path))
    }

    private static func package(in folder: String) async throws -> String {
        let run = try await Checkout.run(
            "mkdir -p '\(folder)' && .packaging/deb '\(folder)'",
            environment: ["LOOKAHEAD_BINARY": LookaheadProcess.executable])
        try #require(run.status == 0, "\(run.output)")
        return try #require(run.output.split(separator: "\n").last.map(String.init))
    }

    @Test("two builds of the package have the same bytes", .enabled(if: Weekly.isOn, "runs weekly"))
    func reproducible() async throws {
        let folder = try TemporaryFolder()
        let packages = [try await Self.package(in: "\(folder.path)/1"), try await Self.package(in: "\(folder.path)/2")]
        let bytes = try packages.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        #expect(bytes[0].count > 1_000_000)
        guard bytes[0] != bytes[1] else { return }  // Comparing megabytes in an issue's text takes too long.
        let different = try await Checkout.run(
            "cd '\(folder.path)' && for n in 1 2; do dpkg-deb -R $n/*.deb $n/tree; done; diff -r 1/tree 2/tree | head -c 2000"
        )
        Issue.record("\(different.output)")
    }

    @Test("the SPDX document lists every linked library with its version")
    func billOfMaterials() async throws {
        let package = try await Self.made.value.path
        let bill = try await Checkout.run(
            "dpkg-deb --fsys-tarfile '\(package)' | tar -xO ./usr/share/doc/lookahead/lookahead.spdx"
        ).output
        let names = bill.matches(of: #/PackageName: (.+)\nSPDXID: .+\nPackageVersion: \d/#).map { String($0.output.1) }
        for name in [
            "lookahead", "swift", "grdb.swift", "swift-argument-parser", "swift-collections", "swift-log", "libc6",
        ] {
            #expect(names.contains(name), "\(name)")
        }
        let control = try await Checkout.run("dpkg-deb --field '\(package)' Depends").output
        for library in control.matches(of: #/\blib[a-z0-9.+-]+/#).map({ String($0.output) }) {
            #expect(names.contains(library) || ["libgcc-s1", "libstdc++6"].contains(library), "\(library)")
        }
        #expect(Set(names).count == names.count)
    }

    @Test("an upgrade keeps settings and cache, a removal keeps the settings, and a purge removes everything")
    func upgrade() async throws {
        let folder = try TemporaryFolder()
        let package = try await Self.made.value.path
        let run = try await Checkout.run(
            """
            set -e
            cd '\(folder.path)'
            dpkg-deb -R '\(package)' older
            sed -i 's/^Version: .*/Version: 0.0.1/' older/DEBIAN/control
            echo '# As it was.' >> older/etc/default/lookahead
            dpkg-deb --root-owner-group -Zgzip -z1 -b older older.deb > /dev/null
            mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates root/var/cache/lookahead root/var/log
            touch root/var/lib/dpkg/status root/var/lib/dpkg/available
            install() { dpkg --root="$PWD/root" --force-not-root --force-script-chrootless --force-depends --force-confold "$@" 2>&1; }
            version() { dpkg-query --admindir=root/var/lib/dpkg -W -f '${Version}' lookahead; }
            install -i older.deb > /dev/null
            test "$(version)" = 0.0.1
            echo LOOKAHEAD_PORT=8081 >> root/etc/default/lookahead
            echo picture > root/var/cache/lookahead/thumbnails.sqlite
            install -i '\(package)' > /dev/null
            test "$(version)" != 0.0.1
            grep -q LOOKAHEAD_PORT=8081 root/etc/default/lookahead
            test -f root/var/cache/lookahead/thumbnails.sqlite
            install -r lookahead > /dev/null
            test -f root/etc/default/lookahead
            test ! -e root/usr/bin/lookahead
            install -P lookahead > /dev/null
            test ! -e root/etc/default/lookahead
            test ! -e root/var/cache/lookahead
            """)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test("the package holds the program, the page, the licence and a manual with every command and flag")
    func contents() async throws {
        let folder = try TemporaryFolder()
        let package = try await Self.made.value.path
        let opened = try await Checkout.run("dpkg-deb --extract '\(package)' '\(folder.path)/root'")
        try #require(opened.status == 0, "\(opened.output)")
        for path in [
            "bin/lookahead", "share/lookahead/Public/index.html", "share/doc/lookahead/copyright",
            "share/doc/lookahead/changelog.gz", "share/bash-completion/completions/lookahead",
        ] {
            #expect(FileManager.default.fileExists(atPath: "\(folder.path)/root/usr/\(path)"), "\(path)")
        }
        let manual = try await Checkout.run("gunzip -c '\(folder.path)/root/usr/share/man/man1/lookahead.1.gz'").output
        let help = try await Checkout.run("'\(LookaheadProcess.executable)' serve --help").output
        let flags = help.matches(of: #/\n  --([a-z0-9-]+)/#).map { String($0.output.1) }
        #expect(flags.count > 20)
        for flag in flags where flag != "version" {
            #expect(manual.contains("\"\(flag.replacing("-", with: "\\-"))\""), "--\(flag)")
        }
        for command in ["demo", "serve", "replay"] {
            #expect(manual.contains(".Ss \"\(command)\""), "\(command)")
        }
        #expect(!manual.contains("media-worker"))
    }
}
