import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Transfer } from '@causeway/rails/chains'
import { toUnits } from '@causeway/rails/networks'
import fc from 'fast-check'
import { catchUp, DEPTH, LEASE_MS, mineEmpty, startBlockFixture, type BlockFixture } from './block-fixture.ts'
import type { ScriptedChain } from './scripted-chain.ts'

let fixture: BlockFixture
beforeAll(async () => {
  fixture = await startBlockFixture()
})
afterAll(async () => {
  await fixture.stop()
})

type Step = Readonly<{ kind: 'mine' | 'rewind' | 'crash' | 'silence'; pick: number; depth: number }>
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('mine', 'mine', 'mine', 'rewind', 'crash', 'silence'),
    pick: fc.nat(7),
    depth: fc.integer({ min: 1, max: 8 }),
  }),
  { minLength: 5, maxLength: 25 },
)

const MERCHANT_EVENTS: Readonly<Record<string, string>> = {
  'payment.pending': 'pending',
  'payment.confirmed': 'paid',
  'payment.underpaid': 'underpaid',
  'payment.reverted': 'reverted',
}

/** One schedule: after each step and all that can be read, the order is what the fold over the canonical chain says. */
const follow = async (schedule: readonly Step[]) => {
  const chain = await fixture.newChain()
  const order = await fixture.newOrder()
  const due = toUnits(order.amount, 8)
  const transfers = [order.pay('0.00000001'), order.pay(), order.pay('0.1'), order.pay('0.2')]
  let readings = [fixture.newReading(chain), fixture.newReading(chain)]
  for (const { kind, pick, depth } of schedule) {
    if (kind === 'crash') readings = [fixture.newReading(chain), fixture.newReading(chain)]
    if (kind === 'silence') chain.fail(depth)
    if (kind === 'mine') chain.mine(transfers.filter((each, index) => index === pick && isFree(chain, each)))
    if (kind === 'rewind') {
      chain.rewind(depth)
      mineEmpty(chain, depth)
    }
    await Promise.all(readings.map(catchUp))
    // A crashed replica's lease has to end before another one reads.
    fixture.payments.clock.advance(LEASE_MS)
    await Promise.all(readings.map(catchUp))
    const received = chain.received(order.address, DEPTH)
    const sum = received.reduce((units, { amount }) => units + toUnits(amount, 8), 0n)
    const status = sum >= due ? 'paid' : sum > 0n ? 'underpaid' : 'pending'
    expect(await order.status()).toBe(status)
    const last = await order.lastEvent()
    expect(last?.partners[0]?.data['status']).toBe(status)
    expect(last?.merchant?.event).toBe(MERCHANT_EVENTS[last?.name ?? ''])
  }
}

const isFree = (chain: ScriptedChain, { txId, address }: Transfer): boolean =>
  !chain.received(address, 1).some((transfer) => transfer.txId === txId)

test('computes the order from the canonical chain after any sequence of reorganisations, with events on both channels', async () => {
  await fc.assert(fc.asyncProperty(steps, follow), { numRuns: 25 })
})
