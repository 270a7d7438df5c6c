import { registry } from '@causeway/chassis'
import { eventually, forgetEvents } from '@causeway/chassis/testing'
import { eventSubject } from '@causeway/contracts'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openPlatform, type OpenedPlatform } from './platform.ts'

const EARNED = 9_750n
let platform: OpenedPlatform
beforeEach(async () => {
  platform = await openPlatform()
})
afterEach(() => platform.close())

type Payment = Awaited<ReturnType<OpenedPlatform['pay']>>
const becomesPosted = (payment: Payment) =>
  eventually(async () => (await platform.pendingOf(payment)) === EARNED)
const gauge = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value
/** Waits for two comparisons with a source that begin after the call. */
const compareTwice = async (service = 'payments'): Promise<void> => {
  const comparedAt = async () =>
    (await platform.books.query('SELECT compared_at FROM fact_comparisons WHERE service = $1', [service]))[0]
  for (let count = 0; count < 2; count += 1) {
    const before = JSON.stringify(await comparedAt())
    await eventually(async () => JSON.stringify(await comparedAt()) !== before)
  }
}

test('fetches and posts a fact whose event the stream never received', async () => {
  const payment = await platform.pay()
  await platform.loseUnpublished()
  await platform.startSource()
  await platform.startLedger()
  await becomesPosted(payment)
  await compareTwice()
  expect([await platform.faults(), await platform.differences()]).toEqual([[], []])
})

test('completes the books after the stream was wiped before the ledger read it', async () => {
  await platform.startSource()
  const payments = [await platform.pay(), await platform.pay(), await platform.pay()]
  await platform.whenPublished()
  await forgetEvents(platform.bus)
  await platform.startLedger()
  for (const payment of payments) await becomesPosted(payment)
  expect(await platform.faults()).toEqual([])
})

test('posts a fact whose event was parked', async () => {
  const { fact, event } = await platform.pay()
  await platform.loseUnpublished()
  await platform.startLedger()
  const damaged = { ...event, ledger_facts: [{ ...fact, total_cents: -1 }] }
  await platform.bus.publishEvent(eventSubject(event.name), JSON.stringify(damaged), event.id, null)
  await eventually(async () => (await platform.books.query('TABLE parked_events')).length === 1)
  expect(await platform.pendingOf({ fact })).toBeUndefined()
  await platform.startSource()
  await becomesPosted({ fact, event })
})

test('completes the books after the ledger’s database was restored to an earlier state', async () => {
  await platform.startSource()
  await platform.startLedger()
  const kept = await platform.pay()
  await becomesPosted(kept)
  await compareTwice()
  await platform.stop('ledger')
  await platform.books.backUp()
  await platform.startLedger()
  const lost = [await platform.pay(), await platform.pay()]
  for (const payment of lost) await becomesPosted(payment)
  await compareTwice()
  await platform.stop('ledger')

  await platform.books.restore()
  expect(await platform.pendingOf(lost[0] as Payment)).toBeUndefined()
  await platform.startLedger()
  for (const payment of [kept, ...lost]) await becomesPosted(payment)
  await compareTwice()
  expect([await platform.faults(), await platform.differences()]).toEqual([[], []])
})

test('reports the facts that a restored source has lost, keeps them, and posts what follows', async () => {
  await platform.startSource()
  await platform.startLedger()
  await becomesPosted(await platform.pay())
  await platform.stop('payments')
  await platform.source.backUp()
  await platform.startSource()
  const lost = await platform.pay()
  await becomesPosted(lost)
  await compareTwice()
  expect(await platform.differences()).toEqual([])
  await platform.stop('payments')

  await platform.source.restore()
  // As after pg_dump and a restore: the row has another transaction's xmin.
  await platform.source.query('UPDATE outbox_origin SET written_by = written_by')
  await platform.startSource()
  await eventually(async () => (await platform.differences()).length > 0)
  expect(await platform.differences()).toEqual([`${lost.fact.fact_id} absent`])
  await eventually(async () => (await gauge('causeway_ledger_facts_differing')) === 1)
  expect(await platform.pendingOf(lost)).toBe(EARNED)
  await becomesPosted(await platform.pay())
  expect(await platform.faults()).toEqual([])
})

test('reports a fact that has other content at its source, until both agree again', async () => {
  await platform.startSource()
  await platform.startLedger()
  const payment = await platform.pay()
  await becomesPosted(payment)
  await compareTwice()
  const setTotal = (cents: number) =>
    platform.source.query(
      "UPDATE ledger_facts SET fact = jsonb_set(fact, '{total_cents}', to_jsonb($1::integer))",
      [cents],
    )
  await setTotal(20_000)
  await eventually(async () => (await platform.differences()).length > 0)
  expect(await platform.differences()).toEqual([`${payment.fact.fact_id} differs`])
  expect(await platform.pendingOf(payment)).toBe(EARNED)
  await setTotal(10_000)
  await eventually(async () => (await platform.differences()).length === 0)
})

test('reports a fact that the books refuse, and posts the others', async () => {
  const [wrong, right] = [await platform.pay(), await platform.pay()]
  await platform.loseUnpublished()
  await platform.source.query(
    "UPDATE ledger_facts SET fact = jsonb_set(fact, '{total_cents}', '-1') WHERE fact_id = $1",
    [wrong.fact.fact_id],
  )
  await platform.startSource()
  await platform.startLedger()
  await becomesPosted(right)
  await eventually(async () => (await platform.differences()).length > 0)
  expect(await platform.differences()).toEqual([`${wrong.fact.fact_id} refused`])
})

test('stores receipts for facts that were posted without them, and posts nothing twice', async () => {
  await platform.startSource()
  await platform.startLedger()
  const payment = await platform.pay()
  await becomesPosted(payment)
  await platform.books.query('TRUNCATE received_facts')
  await eventually(async () => (await platform.books.query('TABLE received_facts')).length === 1)
  expect(await platform.pendingOf(payment)).toBe(EARNED)
  expect([await platform.faults(), await platform.differences()]).toEqual([[], []])
})

test('posts a fact whose receipt was stored without its posting', async () => {
  const payment = await platform.pay()
  await platform.loseUnpublished()
  const [row] = await platform.source.query(
    "SELECT fact_id, seq, encode(sha256(convert_to(fact::text, 'UTF8')), 'hex') AS digest FROM ledger_facts",
  )
  await platform.books.query("INSERT INTO received_facts VALUES ($1, 'payments', $2, $3)", [
    row?.['fact_id'],
    row?.['seq'],
    row?.['digest'],
  ])
  await platform.startSource()
  await platform.startLedger()
  await becomesPosted(payment)
})

describe('the signer', () => {
  const AGE = 'causeway_ledger_facts_compared_age_seconds'
  const SENT = -100_000_000n

  test('has its facts fetched and posted, although no event brings them', async () => {
    await platform.startSource()
    await platform.startLedger()
    const payment = await platform.pay()
    await platform.startSigner()
    await platform.sweep()
    await eventually(async () => (await platform.inFlight()) === SENT)
    await platform.sweep()
    await eventually(async () => (await platform.inFlight()) === 2n * SENT)
    await becomesPosted(payment)
    await compareTwice('signer')
    expect([await platform.faults(), await platform.differences()]).toEqual([[], []])
  })

  test('raises no alarm where it never ran, and one when it is gone after it was compared', async () => {
    const failingSeconds = async () => {
      const values = (await registry.getSingleMetric('causeway_job_failing_seconds')?.get())?.values ?? []
      return values.find(({ labels }) => labels['background_job'] === 'compare-facts')?.value
    }
    await platform.startSource()
    await platform.startLedger()
    await compareTwice()
    const [row] = await platform.books.query("SELECT * FROM fact_comparisons WHERE service = 'signer'")
    expect(row).toMatchObject({ compared_at: null })
    expect(await failingSeconds()).toBe(0)

    await platform.startSigner()
    await compareTwice('signer')
    await platform.stop('signer')
    await eventually(async () => Number(await failingSeconds()) > 0)
    await eventually(async () => Number(await gauge(AGE)) > 2)
    await compareTwice()
    expect(Number(await gauge(AGE))).toBeGreaterThan(2)
    await platform.startSigner()
    await eventually(async () => Number(await gauge(AGE)) < 2)
  })

  test('is compared while payments is unavailable', async () => {
    await platform.startLedger()
    await platform.startSigner()
    await platform.sweep()
    await eventually(async () => (await platform.inFlight()) === SENT)
  })

  test('has the facts reported that its restored database has lost, and later ones posted', async () => {
    await platform.startSource()
    await platform.startLedger()
    await platform.startSigner()
    await platform.sweep()
    await eventually(async () => (await platform.inFlight()) === SENT)
    await platform.stop('signer')
    await platform.signer.backUp()
    await platform.startSigner()
    const lost = await platform.sweep()
    await eventually(async () => (await platform.inFlight()) === 2n * SENT)
    await compareTwice('signer')
    await platform.stop('signer')

    await platform.signer.restore()
    await platform.signer.query('UPDATE outbox_origin SET written_by = written_by')
    await platform.startSigner()
    await eventually(async () => (await platform.differences()).length > 0)
    expect(await platform.differences()).toEqual([`${lost.fact_id} absent`])
    await platform.sweep()
    await eventually(async () => (await platform.inFlight()) === 3n * SENT)
    expect(await platform.faults()).toEqual([])
  })
})
