import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the examples are kept: `tests/examples` records them from a running platform. */
export const EXAMPLES_FILE = join(import.meta.dirname, 'examples.json')

export type OperationExample = Readonly<{ request?: unknown; responses: Readonly<Record<string, unknown>> }>

/** Examples of events by name, and by what tells its bodies apart. */
type EventExamples = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export type Examples = Readonly<{
  /** By operationId. */
  operations: Readonly<Record<string, OperationExample>>
  events: Readonly<{ partner: EventExamples; merchant: EventExamples }>
}>

/** What stands for the platform's address in the file. */
export const BASE_URL_MARK = '{base_url}'

/** The examples, of a platform at this address. */
export const readExamples = (baseUrl: string): Examples =>
  JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8').replaceAll(BASE_URL_MARK, baseUrl)) as Examples

/** The example of a media type; nothing where there is none. */
export const shown = (value: unknown) => (value === undefined ? {} : { example: value })
