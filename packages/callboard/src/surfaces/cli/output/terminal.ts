/** What the commands write to and read from: the process's streams, and what is known of the terminal behind them. */
import { styleText } from 'node:util'

/** A stream for people or for pipes. */
export interface Output {
  readonly isTerminal: boolean
  /** Columns of the terminal; 80 where it does not say. */
  readonly width: number
  /** How much was written and not taken yet, in bytes or nearly so. */
  readonly waiting: number
  write(text: string): void
  /** The text in a colour or weight, where the reader sees such. */
  style(style: Style, text: string): string
}

export interface Terminal {
  readonly stdout: Output
  readonly stderr: Output
  /** All of standard input, as text. */
  readStdin(): Promise<string>
  /**
   * Has the result of a tool, one JSON object in pieces of UTF-8, read and written by another process in its own time,
   * as the last thing of a command. Only where there is one.
   */
  showElsewhere?(pieces: readonly (string | Uint8Array)[], form: ResultForm): void
}

/** How the result of a tool is written. */
export interface ResultForm {
  /** As one JSON document on standard output. */
  readonly json: boolean
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

const DEFAULT_WIDTH = 80

/** The part of a process's stream that an output needs. */
export interface TextStream {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly writableLength?: number
  write(text: string): unknown
}

/** The variables that decide on colours. */
export interface TerminalEnv {
  readonly NO_COLOR?: string | undefined
  readonly TERM?: string | undefined
}

function createOutput(stream: TextStream, env: TerminalEnv): Output {
  const isTerminal = stream.isTTY === true
  const coloured = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
  return {
    isTerminal,
    get width() {
      return stream.columns || DEFAULT_WIDTH
    },
    get waiting() {
      return stream.writableLength ?? 0
    },
    write: (text) => {
      stream.write(text)
    },
    style: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
  }
}

/** The outputs for these streams. Colours are used on a terminal only, and not with `NO_COLOR` or `TERM=dumb`. */
export function createTerminal(
  streams: { readonly stdout: TextStream; readonly stderr: TextStream; readonly stdin: AsyncIterable<Buffer | string> },
  env: TerminalEnv,
): Terminal {
  return {
    stdout: createOutput(streams.stdout, env),
    stderr: createOutput(streams.stderr, env),
    readStdin: async () => {
      const chunks: Buffer[] = []
      for await (const chunk of streams.stdin) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks).toString('utf8')
    },
  }
}
