import { styleText } from 'node:util'
import { printable, printableJson } from './printable.ts'
import { renderFields, renderTable, type Columns } from './table.ts'

/** Streams that a command writes to; messages for people go to `errors`, the result does not. */
export type Streams = Readonly<{
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}>

/** Output of a command: tables and lines for people, JSON for programs. */
export type Output = Readonly<{
  isJson: boolean
  list: <Row>(columns: Columns<Row>, rows: readonly Row[]) => void
  /** @param text what people read in place of its fields */
  one: (resource: object, text?: string) => void
  /** A line that is the result itself; `json` is what programs get. */
  line: (text: string, json: object) => void
  /** Progress, for people: never part of the result. */
  note: (text: string) => void
}>

/** Width of a terminal that reports 0. */
const DEFAULT_WIDTH = 80

/** A pipe has no width: what reads it gets whole values. */
const widthOf = ({ isTTY, columns }: Streams['stdout']): number =>
  isTTY ? columns || DEFAULT_WIDTH : Infinity

export const createOutput = ({ stdout, stderr }: Streams, isJson: boolean): Output => {
  const write = (text: string) => void stdout.write(`${text}\n`)
  const writeJson = (value: unknown) => write(printableJson(value, 2))
  return {
    isJson,
    list(columns, rows) {
      if (isJson) writeJson(rows)
      else if (rows.length === 0) stderr.write('None.\n')
      else {
        const [head = '', ...lines] = renderTable(columns, rows, widthOf(stdout))
        write([stdout.isTTY ? styleText('bold', head) : head, ...lines].join('\n'))
      }
    },
    one(resource, text) {
      if (isJson) writeJson(resource)
      else write(text === undefined ? renderFields(resource) : printable(text))
    },
    line: (text, json) => write(isJson ? printableJson(json) : printable(text)),
    note: (text) => void stderr.write(`${printable(text)}\n`),
  }
}
