import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createDb } from '../src/database.ts'
import { createClock, createLogger, queryMany, type Db } from '../src/index.ts'
import { encodeBinaryArray } from '../src/db/binary-array.ts'
import type { TypeName } from '../src/db/parameters.ts'
import { testDatabase } from '../src/testing/index.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let db: Db
beforeAll(async () => {
  database = await testDatabase('arrays')
  const log = createLogger({ service: 'test', level: 'silent' })
  db = createDb({
    url: database.url,
    name: 'test',
    log,
    clock: createClock(),
    poolSize: 1,
    pipelinedConnections: 1,
  })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** Returns the values as the server parsed and formats them. */
const understood = async (type: TypeName, values: readonly unknown[]): Promise<(string | null)[]> => {
  const spelled = queryMany({
    name: `test.arrays-${type}`,
    parameters: { values: `${type}?[]` },
    text: `SELECT value::text FROM unnest(:values) WITH ORDINALITY AS u (value, at) ORDER BY at`,
    row: z.object({ value: z.string().nullable() }),
  })
  return (await spelled(db, { values: values as never })).map((row) => row.value)
}

const ID = '0190c0de-7a11-4bad-8cab-00c0ffee0042'

describe.each<[type: TypeName, values: readonly unknown[], spelled: readonly (string | null)[]]>([
  [
    'text',
    ['', 'a', null, '{"x": [1, "y"]}', '\\ \' " , {} NULL', 'ü€😀\u007f', 'x'.repeat(100_000)],
    ['', 'a', null, '{"x": [1, "y"]}', '\\ \' " , {} NULL', 'ü€😀\u007f', 'x'.repeat(100_000)],
  ],
  ['smallint', [0, -1, 32_767, -32_768, null], ['0', '-1', '32767', '-32768', null]],
  ['integer', [0, -1, 2_147_483_647, -2_147_483_648, null], ['0', '-1', '2147483647', '-2147483648', null]],
  [
    'bigint',
    [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER + 1, null],
    ['0', '-1', '9007199254740991', '-9007199254740990', null],
  ],
  ['float8', [0, 1.5, -1e300, 1_700_000_000_123, null], ['0', '1.5', '-1e+300', '1700000000123', null]],
  ['uuid', [ID, ID.toUpperCase(), null], [ID, ID, null]],
])('an array parameter of %s', (type, values, spelled) => {
  it('is sent in binary and reaches the server unchanged, including nulls', async () => {
    expect(encodeBinaryArray(type, values)).toBeInstanceOf(Buffer)
    expect(await understood(type, values)).toEqual(spelled)
  })

  it('accepts an empty array', async () => {
    expect(encodeBinaryArray(type, [])).toBeInstanceOf(Buffer)
    expect(await understood(type, [])).toEqual([])
  })
})

it('treats undefined as null, like a parameter of any other type', async () => {
  expect(await understood('text', ['a', undefined])).toEqual(['a', null])
})

it.each<[type: TypeName, values: readonly unknown[], code: string]>([
  ['smallint', [40_000], '22003'],
  ['integer', ['x'], '22P02'],
  ['uuid', ['none'], '22P02'],
  ['text', ['a\0b'], '22021'],
])('leaves an invalid %s to the server, whose error names it', async (type, values, code) => {
  await expect(understood(type, values)).rejects.toMatchObject({ code })
})

it.each<[type: TypeName, values: readonly unknown[], spelled: readonly unknown[]]>([
  ['integer', ['7', 8], ['7', '8']],
  ['text', [7, 'b'], ['7', 'b']],
  ['boolean', [true, false], ['true', 'false']],
  ['timestamptz', [new Date(0)], [expect.stringMatching(/^19(70|69)-/)]],
])('sends as text what is no plain %s', async (type, values, spelled) => {
  expect(encodeBinaryArray(type, values)).toBeNull()
  expect(await understood(type, values)).toEqual(spelled)
})
