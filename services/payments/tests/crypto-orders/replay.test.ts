import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newPartner, orderBody, startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

const newCustomer = (partner = newPartner()) => payments.newCustomer(partner)

describe('a reference', () => {
  it('replays the original order when the same customer repeats it with any body', async () => {
    const { partner, customerId } = newCustomer()
    const original = await payments.newOrder(partner, customerId, { reference: 'R-1' })
    payments.clock.advance(1_000)
    const again = await payments.create(
      partner,
      customerId,
      orderBody({ reference: 'R-1', network: 'SOL', asset: 'SOL', amount: 99 }),
    )
    const differs = ['network', 'asset', 'amount']
    expect(again).toEqual({ ok: true, value: { order: original, replayed: true, differs } })
    expect((await payments.eventsOf(original.id)).map((event) => event.name)).toEqual(['payment.pending'])
  })

  it('names no difference of a repeated request, however its amount is written', async () => {
    const { partner, customerId } = newCustomer()
    const original = await payments.newOrder(partner, customerId, { reference: 'R-2', amount: '25.50' })
    const again = await payments.create(partner, customerId, orderBody({ reference: 'R-2', amount: 25.5 }))
    expect(again).toEqual({ ok: true, value: { order: original, replayed: true } })
  })

  it('makes one order, one event and 31 replays for 32 concurrent calls', async () => {
    const { partner, customerId } = newCustomer()
    const body = orderBody({ reference: 'R-32' })
    const outcomes = await Promise.all(
      Array.from({ length: 32 }, () => payments.create(partner, customerId, body)),
    )
    const values = outcomes.map((outcome) => (outcome.ok ? outcome.value : null))
    expect(values.filter((value) => value?.replayed === false)).toHaveLength(1)
    expect(values.filter((value) => value?.replayed === true)).toHaveLength(31)
    expect(new Set(values.map((value) => value?.order.id)).size).toBe(1)
    expect(await payments.eventsOf(values[0]?.order.id ?? '')).toHaveLength(1)
  })

  it('makes one order each without a deadlock when two replicas use references in opposite order', async () => {
    const { partner, customerId } = newCustomer()
    await payments.addReplica()
    const references = Array.from({ length: 40 }, (_, index) => `ring-${index}`)
    const bodies = [...references, ...references.toReversed(), ...references]
    const outcomes = await Promise.all(
      bodies.map((reference) => payments.create(partner, customerId, orderBody({ reference }))),
    )
    const fresh = outcomes.filter((outcome) => outcome.ok && !outcome.value.replayed)
    expect(outcomes.filter((outcome) => !outcome.ok)).toEqual([])
    expect(fresh).toHaveLength(40)
  })

  it('belongs to the customer: another customer can use it', async () => {
    const partner = newPartner()
    const [one, other] = [newCustomer(partner), newCustomer(partner)]
    const first = await payments.newOrder(partner, one.customerId, { reference: 'shared' })
    const second = await payments.newOrder(partner, other.customerId, { reference: 'shared' })
    expect(second.id).not.toBe(first.id)
  })
})
