/// How many bytes a call of a coder read and wrote.
package struct CodedBytes: Equatable {
  package let read: Int
  package let written: Int

  package init(read: Int, written: Int) {
    self.read = read
    self.written = written
  }
}
