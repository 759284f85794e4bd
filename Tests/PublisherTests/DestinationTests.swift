import Testing

@testable import Publisher

@Suite("Destinations of push")
struct DestinationTests {
  @Test(
    "what may be secret in a connection string is left out wherever the string comes back",
    arguments: [
      ("/srv/maps", "/srv/maps"), ("maps", "maps"), ("./a,b=c:d", "./a,b=c:d"),
      ("remote:maps/x", "remote:maps/x"),
      ("", ""), (":s3:bucket", ":s3:bucket"),
      (
        ":s3,provider=AWS,access_key_id=AKIA1,secret_access_key=a/b+c:bucket/maps",
        ":s3,provider=AWS,access_key_id=***,secret_access_key=***:bucket/maps"
      ),
      (":sftp,host=h,user=u,pass=\"a:b,\"\"c\":dir", ":sftp,host=h,user=u,pass=***:dir"),
      (":webdav,url='https://u:pw@h/',bearer_token=tok:d", ":webdav,url=***,bearer_token=***:d"),
      ("remote,endpoint=https,key=:d", "remote,endpoint=https,key=:d"),
      (":s3,endpoint=u@h,flag,secret_access_key=", ":s3,endpoint=***,flag,secret_access_key="),
      (":s3,secret_access_key=\"open", ":s3,secret_access_key=***"),
    ])
  func shown(text: String, shown: String) {
    let destination = Destination(text)
    #expect(destination.text == text && destination.shown == shown)
  }

  @Test("what rclone says is without it, quoted or not")
  func redacted() {
    let destination = Destination(":sftp,host=h,pass=\"se:cr,et\",key_pem=PEM1:dir")
    #expect(
      destination.redacting("Failed for \":sftp,host=h,pass=\"se:cr,et\",key_pem=PEM1:dir\": se:cr,et PEM1 h")
        == "Failed for \":sftp,host=h,pass=***,key_pem=***:dir\": *** *** h")
    #expect(Destination("remote:dir").redacting("directory not found") == "directory not found")
  }
}
