import { reply, type ServiceClient } from '@causeway/chassis'
import { factRecordsOf } from '@causeway/contracts'
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { compareSource } from '../../src/comparison/compare-windows.ts'
import type { Position } from '../../src/comparison/store.ts'
import { log, openBooks, type OpenedBooks } from '../fixtures/books.ts'

const OF_NO_FACTS = createHash('sha256').digest('hex')
const END = 9_000

let books: OpenedBooks
beforeAll(async () => {
  books = await openBooks()
})
beforeEach(() => books.change('TRUNCATE received_facts'))
afterAll(() => books.close())

/** Compares with a source that has no facts. @returns the windows that it was asked for, and the positions saved */
const compareFrom = async (position: Position, origin: string | null) => {
  const windows: string[] = []
  const saved: Position[] = []
  const ask = ((operation, body) => {
    if (operation.subject !== factRecordsOf('payments').digest.subject)
      throw new Error(`Not expected: ${operation.subject}`)
    const { after, through } = body as { after: number; through: number | null }
    windows.push(`${after} to ${through ?? 'the end'}`)
    const end = through ?? END
    return Promise.resolve(reply({ through: end, end, facts: 0, digest: OF_NO_FACTS, origin }))
  }) as ServiceClient
  const clock = { now: () => new Date() } as never
  await compareSource({ db: books.db, clock, log, ask }, 'payments', position, (reached) => {
    saved.push({ ...reached })
    return Promise.resolve()
  })
  return { windows, last: saved.at(-1) }
}

const POSITION = { beforeSeq: 7_000, throughSeq: 8_000, sweptSeq: 3_000, origin: 'a/1' }

test('compares from the end of the comparison before the last one, then continues with former windows', async () => {
  expect(await compareFrom(POSITION, 'a/1')).toEqual({
    windows: ['7000 to the end', '0 to 3000'],
    last: { beforeSeq: 8_000, throughSeq: END, sweptSeq: 0, origin: 'a/1' },
  })
})

test('compares former windows from the newest on where the source was restored', async () => {
  const { windows } = await compareFrom(POSITION, 'a/2')
  expect(windows).toEqual(['7000 to the end', '0 to 8000'])
})

test('begins with the newest window again once all former ones are compared', async () => {
  const { windows } = await compareFrom({ ...POSITION, sweptSeq: 0 }, 'a/1')
  expect(windows).toEqual(['7000 to the end', '0 to 8000'])
})

test('compares 20 former windows in one run, newest first, and continues there in the next', async () => {
  // Receipts of facts that are not posted: they divide the windows, and no window contains them.
  await books.change(
    "INSERT INTO received_facts SELECT 'fact-' || n, 'payments', n, '' FROM generate_series(1, 25000) AS n",
  )
  const position = { ...POSITION, beforeSeq: 25_000, throughSeq: 25_000, sweptSeq: 25_000 }
  const { windows, last } = await compareFrom(position, 'a/1')
  expect([windows.length, windows[1], windows[20]]).toEqual([21, '24000 to 25000', '5000 to 6000'])
  expect(last?.sweptSeq).toBe(5_000)
})
