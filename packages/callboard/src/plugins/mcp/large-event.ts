/** Takes the data out of a large server-sent event without joining it. */

const LINE_FEED = 0x0a
const DATA = Buffer.from('data:')
const SPACE = 0x20

/** An event in parts. */
export interface LargeEvent {
  /** Its lines that are no data, each with its end. */
  readonly others: string
  /** Its data, line by line with line feeds between them. A carriage return at the end of a line is still there. */
  readonly data: readonly Buffer[]
}

/**
 * Takes an event apart whose lines end with a line feed, a little at a time; one of another kind comes out as something
 * odd.
 */
export function* splitEvent(parts: readonly Buffer[]): Generator<undefined, LargeEvent> {
  const data: Buffer[] = []
  let others = ''
  let line: Buffer[] = []
  const endLine = (): void => {
    if (start(line, DATA.length).equals(DATA)) {
      // One of its own each time: who reads the data makes spaces of line ends, in place.
      if (data.length > 0) data.push(Buffer.from('\n'))
      data.push(...valueIn(line))
    } else others += `${Buffer.concat(line).toString()}\n`
    line = []
  }
  for (const part of parts) {
    let from = 0
    for (let end = part.indexOf(LINE_FEED); end >= 0; end = part.indexOf(LINE_FEED, from)) {
      line.push(part.subarray(from, end))
      endLine()
      from = end + 1
    }
    line.push(part.subarray(from))
    yield
  }
  endLine()
  return { others: others.replaceAll(/\s*\n(?:\s*\n)*/g, '\n').replace(/^\n/, ''), data }
}

/** The first bytes of a line. */
function start(line: readonly Buffer[], length: number): Buffer {
  return Buffer.concat(line.slice(0, length + 1).map((part) => part.subarray(0, length))).subarray(0, length)
}

/** What stands behind `data:` and a space, where there is one. */
function valueIn(line: readonly Buffer[]): readonly Buffer[] {
  let left = start(line, DATA.length + 1).at(DATA.length) === SPACE ? DATA.length + 1 : DATA.length
  return line.flatMap((part) => {
    const rest = part.subarray(left)
    left -= Math.min(left, part.length)
    return rest.length > 0 ? [rest] : []
  })
}
