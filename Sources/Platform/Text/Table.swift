/// Rows of text in aligned columns.
package struct Table {
  /// How the text of a column is aligned.
  package enum Alignment: Equatable { case left, right }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  package init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row with one text per column.
  package mutating func add(_ row: [String]) { rows.append(row) }

  /// The table with its titles, a line feed after each row.
  package var text: String {
    var widths = columns.map { $0.title.count }
    for row in rows {
      for (index, cell) in row.enumerated() where index < widths.count {
        widths[index] = max(widths[index], cell.count)
      }
    }
    var text = line(columns.map { $0.title }, widths: widths)
    for row in rows { text += line(row, widths: widths) }
    return text
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() where index < widths.count {
      let padding = String(repeating: " ", count: widths[index] - cell.count)
      let isLast = index == widths.count - 1
      line += index == 0 ? "" : "  "
      line += columns[index].alignment == .right ? padding + cell : cell + (isLast ? "" : padding)
    }
    return line + "\n"
  }
}
