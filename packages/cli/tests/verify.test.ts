import {
  hashLeaf,
  hashLine,
  linesOf,
  rootOf,
  statementHash,
  type AccountLeaf,
} from '@causeway/statement-proof'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createCommandLine, type CommandLine } from './command-line.ts'

let cli: CommandLine
let file: string
beforeEach(() => {
  cli = createCommandLine()
  file = join(dirname(dirname(cli.credentialsFile)), 'statement.json')
})
afterEach(() => cli.remove())

const OWNER = { partnerCustomerId: 'pcu_1', balance: 'pending' }
const LINES = [
  { ...OWNER, number: 4, amount: 10_000, balanceAfter: 12_000 },
  { ...OWNER, number: 5, amount: -250, balanceAfter: 11_750 },
] as const
const hashes = LINES.map((line) => hashLine('EUR', line))
const leaf: AccountLeaf = {
  v: 1,
  ...{ ...OWNER, unit: 'EUR', month: '2026-10', closed: true, first: 4, last: 5 },
  ...{ opening: 2_000, closing: 11_750, lines: linesOf(hashes), nonce: '00' },
}
const root = rootOf([hashLeaf(leaf)]).toString('hex')
const proof = {
  seals: [{ number: 3, size: 1, root }],
  accounts: [{ leaf, seal: 3, index: 0, path: [], lines: hashes }],
}
const statementOf = (entries: readonly object[]) => {
  const units = [{ unit: 'EUR', opening: 2_000, entries: entries as typeof LINES, closing: 11_750 }]
  return { month: '2026-10', units, sha256: statementHash({ month: '2026-10', units }), proof }
}
const write = (value: unknown) => writeFileSync(file, JSON.stringify(value))

test.each([
  ['alone', (statement: object) => statement],
  ['in a response', (statement: object) => ({ data: { statement } })],
])('accepts a right statement %s, without a login', async (_, wrap) => {
  write(wrap(statementOf(LINES)))
  expect(await cli.run(`verify ${file}`)).toEqual({
    code: 0,
    stdout: `The statement of 2026-10 is right: 2 lines.\nThe month is closed.\nSeal 3: root ${root}\n`,
    stderr: '',
  })
})

test.each([
  ['altered', [{ ...LINES[0], amount: 9_999 }, LINES[1]], 'line 4 was altered'],
  ['missing', [LINES[0]], 'line 5 is missing'],
  ['added', [...LINES, { ...LINES[1], number: 6 }], 'line 6 was added'],
])('ends with 1 and names the line that is %s', async (_, entries, fault) => {
  write(statementOf(entries))
  const { code, stdout, stderr } = await cli.run(`verify ${file}`)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^causeway: .*statement.json is not what was sealed/),
  ])
  expect(stdout.split('\n').filter((line) => line.includes('line '))).toEqual([`pcu_1 pending EUR: ${fault}`])
})

test('refuses a statement whose seal has another root than the one that was kept', async () => {
  write(statementOf(LINES))
  expect((await cli.run(`verify ${file} --root ${root.toUpperCase()}`)).code).toBe(0)
  expect(await cli.run(`verify ${file} --root ${'0'.repeat(64)}`)).toMatchObject({
    code: 1,
    stdout: 'Seal 3 has another root than was given\n',
  })
})

describe('a file that is not a statement', () => {
  test.each([
    ['text', 'hello', 'is not JSON'],
    ['a number', '5', 'is not a statement'],
    ['an empty object', '{}', 'is not a statement'],
    [
      'one page of several',
      JSON.stringify({ data: { statement: statementOf(LINES), nextCursor: 'abc' } }),
      'one page',
    ],
    ['a wrong amount', JSON.stringify(statementOf([{ ...LINES[0], amount: 'much' }])), 'much is not'],
  ])('exits with 2 for %s', async (_, text, message) => {
    writeFileSync(file, text)
    const { code, stderr } = await cli.run(`verify ${file}`)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('exits with 2 when it does not exist', async () => {
    expect(await cli.run(`verify ${file}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be read'),
    })
  })
})
