import { createLogger, queryNone } from '@causeway/chassis'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startBlockReader } from '../../src/blocks/jobs/block-reader.ts'
import { toTolerance } from '../../src/deposits/settlement.ts'
import { findReadableNetwork, listUnwatched } from '../../src/order-numbers/store.ts'
import { startUnknownFixture, type UnknownFixture } from '../unattributed-money/unknown-fixture.ts'

/** No address exists for these numbers: the job that stores addresses does not get past them. */
const BEYOND = 2 ** 53 - 1

const skipNumbers = queryNone({
  name: 'test.skip-numbers',
  parameters: { network: 'text', first: 'bigint', ending: 'bigint', next: 'bigint', now: 'timestamptz' },
  text: `
    INSERT INTO skipped_numbers (network, first, ending, next, at) VALUES (:network, :first, :ending, :next, :now)
    ON CONFLICT (network, first) DO UPDATE SET next = excluded.next`,
})
const regrant = queryNone({
  name: 'test.set-run',
  parameters: { network: 'text', run: 'text' },
  text: 'UPDATE order_numbers SET run = :run WHERE name = :network',
})

let fixture: UnknownFixture
beforeAll(async () => {
  fixture = await startUnknownFixture()
})
afterAll(() => fixture.stop())

const setNext = (next: number) => {
  const { db, clock } = fixture.payments
  const range = { network: 'XRP', first: BEYOND - 1, ending: BEYOND, next }
  return skipNumbers(db, { ...range, now: clock.now() })
}

test('reads no block until the addresses of lost orders are stored, and then lists their money', async () => {
  const { db, clock, config } = fixture.payments
  const chain = await fixture.newChain('XRP')
  await setNext(BEYOND - 1)
  const transfer = fixture.toAccount('XRP', '5')
  chain.mine([transfer])
  const asked = { heads: 0 }
  const source = { ...chain.source, head: () => ((asked.heads += 1), chain.source.head()) }
  const reader = startBlockReader(
    { db, clock, log: createLogger({ service: 'test', level: 'silent' }) },
    {
      confirmations: { ...CONFIRMATION_DEPTHS, XRP: 1 },
      tolerance: toTolerance(0),
      links: { publicBaseUrl: config.publicBaseUrl, chains: {} },
    },
    { source, everyMs: 10 },
  )
  try {
    await fixture.payments.eventually(async () =>
      expect(await findReadableNetwork(db, { network: 'LTC' })).toEqual({ name: 'LTC' }),
    )
    expect(await findReadableNetwork(db, { network: 'XRP' })).toBeNull()
    expect(asked.heads).toBe(0)
    await setNext(BEYOND)
    await fixture.payments.eventually(async () =>
      expect(await fixture.listedOf(transfer)).toMatchObject([{ kind: 'unknown', amount: '5' }]),
    )
  } finally {
    await reader.stop()
  }
})

test('stores the addresses of the network with the fewest first, and waits for a grant of numbers', async () => {
  const { db, clock } = fixture.payments
  const now = clock.now()
  await skipNumbers(db, { network: 'BTC', first: BEYOND - 9, ending: BEYOND, next: BEYOND - 5, now })
  await skipNumbers(db, { network: 'LTC', first: BEYOND - 9, ending: BEYOND, next: BEYOND - 8, now })
  expect(await listUnwatched(db, { networks: ['BTC', 'LTC'], limit: 1 })).toMatchObject([
    { network: 'LTC', next: BEYOND - 8 },
  ])
  expect(await findReadableNetwork(db, { network: 'SOL' })).toEqual({ name: 'SOL' })
  await regrant(db, { network: 'SOL', run: 'another run' })
  expect(await findReadableNetwork(db, { network: 'SOL' })).toBeNull()
})
