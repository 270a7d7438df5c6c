import { eventually } from '@causeway/chassis/testing'
import { bankStatements, settlements } from '@causeway/contracts'
import { readStatementLines, type BankLine } from '@causeway/rails/bank'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { insertLines, listOthers, valuesOf } from '../src/bank-statements/store.ts'
import { importedLineOf } from '../src/bank-statements/statement.ts'
import { createImport, type Source } from '../src/import-files/import-file.ts'
import { startFilePurge } from '../src/import-files/jobs/purge-files.ts'
import { postFacts } from '../src/posting/post-facts.ts'
import { paid } from './fixtures/facts.ts'
import { ENDS, killAtWrite } from './fixtures/kill-at-write.ts'
import { STATEMENT_HEADER, statementOf, statementRows, storeFile } from './fixtures/large-files.ts'
import { reportOf } from './fixtures/settlement-report.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests()
})
afterAll(() => ledger.stop())

const csvOf = (rows: readonly string[]): string => [STATEMENT_HEADER, ...rows].join('\n')
const importStatement = async (type: 'csv' | 'xml', content: string | Buffer) =>
  ledger.asStaff(bankStatements.importFile, { body: await storeFile(ledger, type, content) })
const countLines = async (name: string) => {
  const found = await ledger.sql<{ count: string }>('SELECT count(*) FROM bank_lines WHERE line_id LIKE $1', [
    `${name} %`,
  ])
  return Number(found[0]?.count)
}
const countParts = async () =>
  Number((await ledger.sql<{ count: string }>('SELECT count(*) FROM import_file_parts'))[0]?.count)

/** A source of bank lines that does something before each batch is stored. */
const sourceWith = (before: (batch: number) => Promise<void> | void): Source<BankLine> => {
  let batch = 0
  return {
    name: 'bank:main',
    read: (text) => readStatementLines(text, 'csv'),
    isFault: (error): error is Error => error instanceof RangeError,
    async store(tx, lines) {
      batch += 1
      await before(batch)
      const values = valuesOf(lines.map(importedLineOf))
      const stored = await insertLines(tx, { ...values, now: new Date() })
      return {
        stored: stored.length,
        differing: new Set((await listOthers(tx, values)).map((row) => row.lineId)),
      }
    },
    idOf: ({ lineId }) => lineId,
    differs: 'differs',
  }
}
const inAMinute = () => ledger.clock.outsideMs() + 60_000

test('imports a camt.053 document of 1 MB, and deletes the stored file', async () => {
  const { xml, count } = statementOf('large xml', 1_000_000)
  expect(await importStatement('xml', xml)).toEqual({
    ok: true,
    value: { imported: count, duplicates: 0, rejected: [] },
  })
  expect(await countLines('large xml')).toBe(count)
  expect(await countParts()).toBe(0)
})

test('imports a statement of 6,000 lines as CSV with the numbers of its rejected lines', async () => {
  const rows = statementRows('large csv', 6_000).with(4_000, 'large csv x,yesterday,1,EUR,,')
  expect(await importStatement('csv', csvOf(rows))).toMatchObject({
    value: { imported: 5_999, duplicates: 0, rejected: [{ line: 4_002 }] },
  })
  expect(await countLines('large csv')).toBe(5_999)
})

/** Imports a report of 2,500 lines. */
const importLargeReport = async (processor: string) => {
  const rows = Array.from({ length: 2_500 }, (_, at) => {
    return `line-${at},fee,,0,120,-120,EUR,${at === 2_321 ? '2026-10-05' : '2026-11-28'},`
  })
  const body = await storeFile(ledger, 'csv', reportOf(rows))
  return ledger.asStaff(settlements.importFile, { query: { processor }, body })
}

test('imports a settlement report once, whose earliest day begins the comparison', async () => {
  await postFacts(ledger, [paid({ fact_id: 'paid by large', processor: 'large' })])
  const importReport = () => importLargeReport('large')
  expect(await importReport()).toMatchObject({ value: { imported: 2_500, duplicates: 0, rejected: [] } })
  expect(await importReport()).toMatchObject({ value: { imported: 0, duplicates: 2_500, rejected: [] } })
  const found = 'SELECT begins_on::text FROM settlement_sources WHERE processor = $1'
  expect(await ledger.sql(found, ['large'])).toEqual([{ begins_on: '2026-10-05' }])
})

test('lists the first 4,000 rejected lines and counts the others', async () => {
  const answer = await importStatement('csv', csvOf(Array.from({ length: 4_100 }, () => 'x')))
  if (!answer.ok) throw new Error(answer.code)
  const { rejected, ...counts } = answer.value
  expect(counts).toEqual({ imported: 0, duplicates: 0, rejected_not_listed: 100 })
  expect(rejected.map(({ line }) => line)).toEqual(Array.from({ length: 4_000 }, (_, at) => at + 2))
})

const { xml: WHOLE } = statementOf('cut', 1_500_000)
const FAULTY_CSV = [...statementRows('faulty', 2_500), '"open'].join('\n')
test.each([
  ['a document that is cut off', 'xml', WHOLE.slice(0, -30), 'cut'],
  ['CSV with a fault at its end', 'csv', `${STATEMENT_HEADER}\n${FAULTY_CSV}`, 'faulty'],
  ['bytes that are not UTF-8', 'csv', Buffer.from(`${csvOf(statementRows('latin', 1))}ü`, 'latin1'), 'latin'],
  ['a control character', 'csv', `${csvOf(statementRows('control', 1))}\u0001`, 'control'],
] as const)('refuses %s as a whole and imports no line of it', async (_, type, content, name) => {
  expect(await importStatement(type, content)).toMatchObject({
    ok: false,
    code: 'invalid_request',
    details: [{ field: type, reason: 'invalid_value', expected: expect.any(String) }],
  })
  expect(await countLines(name)).toBe(0)
})

test('leaves nothing of an import that is interrupted at any batch, and imports the file when it is sent again', async () => {
  const importFile = createImport(ledger)
  const body = { csv: csvOf(statementRows('interrupted', 3_500)) }
  for (const last of [1, 2, 3, 4]) {
    const source = sourceWith((batch) => {
      if (batch === last) throw new Error('interrupted')
    })
    await expect(importFile({ body, source, deadlineMs: inAMinute() })).rejects.toThrow('interrupted')
    expect(await countLines('interrupted')).toBe(0)
  }
  const source = sourceWith(() => undefined)
  expect(await importFile({ body, source, deadlineMs: inAMinute() })).toMatchObject({
    value: { imported: 3_500, duplicates: 0 },
  })
})

test('shows no line of a file to other transactions before all are stored', async () => {
  const seen: number[] = []
  const source = sourceWith(async () => {
    seen.push(await countLines('unseen'))
  })
  const body = { csv: csvOf(statementRows('unseen', 2_500)) }
  await createImport(ledger)({ body, source, deadlineMs: inAMinute() })
  expect([...seen, await countLines('unseen')]).toEqual([0, 0, 0, 2_500])
})

test('imports nothing after the time at which the caller waits no longer', async () => {
  const source = sourceWith(() => undefined)
  const body = { csv: csvOf(statementRows('late', 10)) }
  const ended = createImport(ledger)({ body, source, deadlineMs: ledger.clock.outsideMs() })
  await expect(ended).rejects.toThrow('longer than the caller waits')
  expect(await countLines('late')).toBe(0)
})

test('imports each line once when two replicas import a file simultaneously', async () => {
  const rows = statementRows('racing', 3_000)
  const reports = await Promise.all(
    [rows, rows.toReversed()].map((each) =>
      createImport(ledger)({
        body: { csv: csvOf(each) },
        source: sourceWith(() => undefined),
        deadlineMs: inAMinute(),
      }),
    ),
  )
  const values = reports.map((each) => (each.ok ? each.value : null))
  expect(values.toSorted((a, b) => Number(a?.imported) - Number(b?.imported))).toMatchObject([
    { imported: 0, duplicates: 3_000 },
    { imported: 3_000, duplicates: 0 },
  ])
})

test('deletes files that were not imported after an hour', async () => {
  await storeFile(ledger, 'csv', 'x')
  const before = await countParts()
  const later = { nowMs: () => ledger.clock.nowMs() + 3_600_001 }
  const early = startFilePurge({ ...ledger, clock: { nowMs: () => ledger.clock.nowMs() + 3_000_000 } })
  await early.stop()
  expect(await countParts()).toBe(before)
  const purge = startFilePurge({ ...ledger, clock: later })
  await eventually(async () => (await countParts()) === 0)
  await purge.stop()
})

test.each(ENDS)(
  'leaves nothing of a report whose import is killed after its last line (%s), and imports it when it is sent again',
  async (end) => {
    const processor = `killed_${end.toLowerCase()}`
    await postFacts(ledger, [paid({ fact_id: `paid by ${processor}`, processor })])
    // The day on which the reports begin is written after the lines.
    await killAtWrite(ledger, 'settlement_sources', end, () => importLargeReport(processor))
    const found = 'SELECT count(*)::integer FROM settlement_lines WHERE processor = $1'
    expect(await ledger.sql(found, [processor])).toEqual([{ count: 0 }])
    expect(await importLargeReport(processor)).toMatchObject({
      value: { imported: 2_500, duplicates: 0, rejected: [] },
    })
  },
)
