import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { factRecordsOf, WINDOW_FACTS, type LedgerFact } from '@causeway/contracts'
import pg from 'pg'
import { appendFacts, newId, refuse } from '../src/index.ts'
import { execute } from '../src/bus/execute.ts'
import { factRecordOperations } from '../src/ledger-facts/operations.ts'
import { eventually } from '../src/testing/eventually.ts'
import { anEvent, openDatabase, silent } from './fixture.ts'

const operations = factRecordsOf('payments')

let fixture: Awaited<ReturnType<typeof openDatabase>>
let client: pg.Client
beforeEach(async () => {
  fixture = await openDatabase()
  client = new pg.Client({ connectionString: fixture.url })
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await fixture.close()
})

const ask = async (member: keyof typeof operations, body: object): Promise<unknown> => {
  const { subject } = operations[member]
  const implementations = factRecordOperations({ service: 'payments', db: fixture.db })
  const found = implementations.find(({ operation }) => operation.subject === subject)
  if (found === undefined) throw new Error(`${subject} is not implemented`)
  const { clock } = fixture
  const caller = { kind: 'service', service: 'ledger' } as const
  const message = { requestId: newId('request'), caller, deadlineMs: clock.outsideMs() + 20_000, body }
  return execute(found, message, { clock, log: silent, checkReplies: true })
}
const all = { after: 0, through: null }

/** An event with two facts, as a source emits it; only the ids matter here. */
const eventWith = (...ids: string[]) => ({
  ...anEvent('payment.confirmed'),
  ledger_facts: ids.map((id) => ({ kind: 'card_paid', fact_id: id, at: 'now' }) as never),
})
const emit = (...ids: string[]) =>
  fixture.db.transaction((tx) => {
    tx.emit(eventWith(...ids))
    return Promise.resolve()
  })
const facts = async (): Promise<unknown> =>
  (await client.query('SELECT fact_id, seq::integer, fact FROM ledger_facts ORDER BY fact_id')).rows

test('keeps the facts of an event with its sequence, and drops those of an event that was rolled back', async () => {
  await emit('a', 'b')
  await fixture.db.transaction((tx) => {
    tx.emit(eventWith('c'))
    return Promise.resolve(refuse('invalid_state'))
  })
  expect(await facts()).toEqual([
    { fact_id: 'a', seq: 1, fact: { kind: 'card_paid', fact_id: 'a', at: 'now' } },
    { fact_id: 'b', seq: 1, fact: { kind: 'card_paid', fact_id: 'b', at: 'now' } },
  ])
})

test('keeps the first content of a fact that is emitted again, and does not fail the effect', async () => {
  await emit('a')
  await emit('a', 'b')
  expect(await facts()).toMatchObject([
    { fact_id: 'a', seq: 1 },
    { fact_id: 'b', seq: 2 },
  ])
})

const ownFact = (id: string): LedgerFact => ({
  kind: 'transfer_moved',
  fact_id: id,
  at: '2026-11-22T00:00:00.000Z',
  network: 'BTC',
  asset: 'BTC',
  step: 'broadcast',
  leaves: '1',
  arrives: '0',
  network_fee: { asset: 'BTC', amount: '0.0001', paid_from: 'deposits' },
})

describe('a fact without an event', () => {
  test('takes the next sequence of the outbox in its transaction, and leaves the outbox empty', async () => {
    await emit('a')
    await fixture.db.transaction(async (tx) => {
      await appendFacts(tx, 'signer', [ownFact('b'), ownFact('c')])
      return null
    })
    await fixture.db.transaction(async (tx) => {
      await appendFacts(tx, 'signer', [ownFact('d')])
      return refuse('invalid_state')
    })
    await emit('e')
    expect(await facts()).toMatchObject([
      { fact_id: 'a', seq: 1 },
      { fact_id: 'b', seq: 2, fact: ownFact('b') },
      { fact_id: 'c', seq: 2 },
      { fact_id: 'e', seq: 4 },
    ])
    expect((await client.query('SELECT seq::integer FROM outbox_events ORDER BY seq')).rows).toEqual([
      { seq: 1 },
      { seq: 4 },
    ])
    expect(await ask('digest', all)).toMatchObject({ value: { end: 4, facts: 4 } })
  })

  test('keeps its first content when it is kept again', async () => {
    await appendFacts(fixture.db, 'signer', [ownFact('a')])
    await appendFacts(fixture.db, 'signer', [{ ...ownFact('a'), at: '2026-11-23T00:00:00.000Z' }])
    expect(await facts()).toMatchObject([{ fact_id: 'a', fact: ownFact('a') }])
  })

  test('is refused where another service owns it', async () => {
    await expect(appendFacts(fixture.db, 'payments', [ownFact('a')])).rejects.toThrow(
      'payments keeps transfer_moved, which belongs to another service',
    )
    expect(await facts()).toEqual([])
  })
})

describe('a digest', () => {
  test('covers a window with its end, and changes with a fact', async () => {
    await emit('a')
    const first = await ask('digest', all)
    expect(first).toMatchObject({ ok: true, value: { through: 1, end: 1, facts: 1 } })
    await emit('b')
    const [second] = [await ask('digest', all)]
    expect(second).toMatchObject({ value: { through: 2, end: 2, facts: 2 } })
    expect(await ask('digest', { after: 0, through: 1 })).toEqual(first)
    await client.query(`UPDATE ledger_facts SET fact = fact || '{"at": "then"}' WHERE fact_id = 'a'`)
    expect(await ask('digest', { after: 0, through: 1 })).not.toEqual(first)
  })

  test('waits for a transaction that may still commit a fact with a lower sequence', async () => {
    await client.query('BEGIN')
    await client.query(
      `WITH e AS (INSERT INTO outbox_events (event_id, subject, payload, created_at) VALUES ('e', 's', '{}', now()) RETURNING seq)
       INSERT INTO ledger_facts SELECT 'late', seq, '{}' FROM e`,
    )
    await emit('a')
    expect(await ask('digest', all)).toMatchObject({ ok: false, code: 'temporarily_unavailable' })
    // Transactions of other databases of the server may refuse it, too.
    const digest = eventually(async () => {
      const answer = (await ask('digest', all)) as Readonly<{ ok: boolean }>
      return answer.ok && answer
    })
    await client.query('COMMIT')
    expect(await digest).toMatchObject({ value: { end: 2, facts: 2 } })
  })

  test('ends a window after a bounded number of facts, and never within an event', async () => {
    const ids = Array.from({ length: WINDOW_FACTS + 2 }, (_, at) => `fact-${at}`)
    await emit(...ids.slice(0, WINDOW_FACTS - 1))
    await emit(...ids.slice(WINDOW_FACTS - 1, WINDOW_FACTS + 1))
    await emit(...ids.slice(WINDOW_FACTS + 1))
    const first = { through: 2, end: 3, facts: WINDOW_FACTS + 1 }
    expect(await ask('digest', all)).toMatchObject({ value: first })
    expect(await ask('digest', { after: 2, through: 3 })).toMatchObject({ value: { through: 3, facts: 1 } })
    expect(await ask('list', { after: 0, through: 2 })).toMatchObject({
      value: { facts: { length: WINDOW_FACTS + 1 } },
    })
  })
})

test('gets facts with their texts, and leaves out unknown ones', async () => {
  await emit('a')
  const asked = ['a', 'unknown'].map((id) => ({ fact_id: id, sequence: null }))
  expect(await ask('get', { facts: asked })).toMatchObject({
    value: { facts: [{ fact_id: 'a', sequence: 1, fact: { kind: 'card_paid', fact_id: 'a', at: 'now' } }] },
  })
})

test('keeps the fact of an event that an older version appended, when the ledger has it', async () => {
  await emit('a')
  await client.query('DELETE FROM ledger_facts')
  expect(await ask('get', { facts: [{ fact_id: 'a', sequence: 1 }] })).toMatchObject({
    value: { facts: [{ fact_id: 'a', sequence: 1 }] },
  })
  expect(await facts()).toMatchObject([{ fact_id: 'a', seq: 1 }])
})
