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

/** Placeholder for the platform's address in the file. */
export const BASE_URL_MARK = '{base_url}'

const MAX_OBJECTS = 1
const MAX_VALUES = 3

/** Shortens lists, so that an example grows with the shape it shows and not with what was recorded. */
function withShortLists(_key: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.slice(0, typeof value[0] === 'object' ? MAX_OBJECTS : MAX_VALUES)
}

/** The examples, of a platform at this address. */
export const readExamples = (baseUrl: string): Examples =>
  JSON.parse(
    readFileSync(EXAMPLES_FILE, 'utf8').replaceAll(BASE_URL_MARK, baseUrl),
    withShortLists,
  ) as Examples

/** The example of a media type; empty if it was not recorded. */
export const shown = (value: unknown) => (value === undefined ? {} : { example: value })
