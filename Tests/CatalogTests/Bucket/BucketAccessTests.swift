import Catalog
import Fetch
import Media
import Testing

@Suite struct BucketAccessTests {
    private static let files = [
        "/home/a/.aws/credentials": """
        # of the office
        [default]
        aws_access_key_id = K1
        aws_secret_access_key = S1=
        [nas]
        aws_access_key_id=K2
        aws_secret_access_key=S2
        aws_session_token=T2
        """,
        "/home/a/.aws/config": "[default]\nregion = eu-west-1\n[profile nas]\nregion=garage\n",
    ]

    private static func access(_ environment: [String: String]) -> BucketAccess {
        BucketAccess(environment: environment.merging(["HOME": "/home/a"]) { $1 }) { files[$0] }
    }

    @Test("environment variables override the profile in the AWS files")
    func order() {
        #expect(
            Self.access([:]).credentials == BucketCredentials(accessKey: "K1", secretKey: "S1="))
        #expect(Self.access([:]).region == "eu-west-1")
        #expect(
            Self.access(["AWS_PROFILE": "nas"]).credentials
                == BucketCredentials(accessKey: "K2", secretKey: "S2", sessionToken: "T2"))
        #expect(Self.access(["AWS_PROFILE": "nas"]).region == "garage")
        let given = Self.access([
            "AWS_ACCESS_KEY_ID": "K3", "AWS_SECRET_ACCESS_KEY": "S3", "AWS_DEFAULT_REGION": "b", "AWS_REGION": "a",
        ])
        #expect(given.credentials == BucketCredentials(accessKey: "K3", secretKey: "S3"))
        #expect(given.region == "a")
    }

    @Test("access without credentials uses the default region")
    func none() {
        let access = BucketAccess(environment: [:]) { _ in nil }
        #expect(access == BucketAccess(environment: ["AWS_ACCESS_KEY_ID": ""]) { _ in "" })
        #expect(access.credentials == nil && access.region == "us-east-1")
        #expect(Self.access(["AWS_PROFILE": "other"]).credentials == nil)
    }

    @Test("no AWS file is read without an absolute home, unless a variable names it", arguments: [nil, "", "."])
    func home(_ home: String?) {
        var environment = ["HOME": home].compactMapValues { $0 }
        let file = "[default]\naws_access_key_id = K\naws_secret_access_key = S"
        var read: [String] = []
        func access() -> BucketAccess {
            BucketAccess(environment: environment) { path in
                read.append(path)
                return file
            }
        }
        #expect(access().credentials == nil && read.isEmpty)
        environment["AWS_SHARED_CREDENTIALS_FILE"] = "keys"
        #expect(access().credentials?.accessKey == "K" && read == ["keys"])
    }
}
