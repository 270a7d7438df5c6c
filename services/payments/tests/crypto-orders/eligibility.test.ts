import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { newPartner, orderBody, startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

const newCustomer = (partner = newPartner()) => payments.newCustomer(partner)
const notFound = { ok: false, code: 'resource_not_found' }

describe('visibility', () => {
  it("refuses another partner's customer and an unknown one with the same reply everywhere", async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId)
    const stranger = newPartner()
    for (const id of [customerId, newId('relationship')]) {
      expect(await payments.create(stranger, id, orderBody())).toEqual(notFound)
      expect(await payments.list(stranger, id)).toEqual(notFound)
    }
    for (const id of [order.id, newId('cryptoOrder')]) {
      expect(await payments.read(stranger, id)).toEqual(notFound)
      expect(await payments.cancel(stranger, id)).toEqual(notFound)
    }
    expect(await payments.read(partner, order.id)).toMatchObject({ ok: true })
  })

  it('ends with the relationship and returns with it', async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId, { reference: 'V-1' })
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'revoked' }))
    await payments.eventually(async () =>
      expect(await payments.create(partner, customerId, orderBody())).toEqual(notFound),
    )
    expect(await payments.create(partner, customerId, orderBody({ reference: 'V-1' }))).toEqual(notFound)
    expect(await payments.read(partner, order.id)).toEqual(notFound)
    expect(await payments.list(partner, customerId)).toEqual(notFound)
    expect(await payments.cancel(partner, order.id)).toEqual(notFound)
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'active' }))
    await payments.eventually(async () =>
      expect(await payments.read(partner, order.id)).toMatchObject({ ok: true }),
    )
  })
})

describe('the capability payments.crypto', () => {
  it('refuses creation and listing within two seconds once withdrawn; reading an order needs no grant', async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId)
    await payments.onboarding.publish(payments.onboarding.change(customerId, { crypto: { enabled: false } }))
    const refusal = { ok: false, code: 'capability_not_enabled' }
    await payments.eventually(async () =>
      expect(await payments.create(partner, customerId, orderBody())).toEqual(refusal),
    )
    expect(await payments.list(partner, customerId)).toEqual(refusal)
    expect(await payments.read(partner, order.id)).toMatchObject({ ok: true })
  })

  it.each(['suspended', 'link_unconfirmed'] as const)(
    'refuses creation with its reason and allows listing while it is unavailable (%s)',
    async (reason) => {
      const { partner, customerId } = newCustomer()
      const replay = orderBody({ reference: 'U-1' })
      const order = await payments.newOrder(partner, customerId, replay)
      await payments.onboarding.publish(
        payments.onboarding.change(customerId, { crypto: { available: false, reason } }),
      )
      await payments.eventually(async () =>
        expect(await payments.create(partner, customerId, replay)).toEqual({
          ok: false,
          code: 'capability_unavailable',
          details: [{ reason }],
        }),
      )
      expect(await payments.create(partner, customerId, orderBody())).toMatchObject({
        code: 'capability_unavailable',
      })
      const page = await payments.list(partner, customerId)
      expect(page.ok && page.value.orders.map((row) => row.id)).toEqual([order.id])
    },
  )

  it('counts immediately when it was just granted, before its event has arrived', async () => {
    const { partner, customerId } = newCustomer()
    payments.onboarding.change(customerId, { crypto: { enabled: false } })
    expect(await payments.create(partner, customerId, orderBody())).toEqual({
      ok: false,
      code: 'capability_not_enabled',
    })
    payments.onboarding.change(customerId, { crypto: { enabled: true } })
    expect(await payments.create(partner, customerId, orderBody())).toMatchObject({ ok: true })
  })
})

describe('the projection of relationships', () => {
  it('reads a customer from onboarding once and never again while nothing is refused', async () => {
    const { partner, customerId } = newCustomer()
    const before = payments.onboarding.asked()
    await Promise.all(Array.from({ length: 20 }, () => payments.newOrder(partner, customerId)))
    await payments.list(partner, customerId)
    expect(payments.onboarding.asked() - before).toBe(1)
  })

  it('serves projected relationships while onboarding is down, and temporarily_unavailable for others', async () => {
    const { partner, customerId } = newCustomer()
    await payments.newOrder(partner, customerId)
    const unknown = newCustomer()
    payments.onboarding.setDown(true)
    try {
      expect(await payments.list(partner, customerId)).toMatchObject({ ok: true })
      expect(await payments.create(unknown.partner, unknown.customerId, orderBody())).toEqual({
        ok: false,
        code: 'temporarily_unavailable',
      })
    } finally {
      payments.onboarding.setDown(false)
    }
  })

  it('is neither reverted by an outdated or repeated event nor stopped by an invalid one', async () => {
    const { partner, customerId } = newCustomer()
    await payments.newOrder(partner, customerId)
    const old = payments.onboarding.change(customerId, { crypto: { enabled: false } })
    const current = payments.onboarding.change(customerId, { crypto: { enabled: true } })
    await payments.onboarding.tellNonsense()
    await payments.onboarding.publish(current)
    await payments.onboarding.publish(current)
    await payments.onboarding.publish(old)
    const marker = newCustomer()
    await payments.newOrder(marker.partner, marker.customerId)
    await payments.onboarding.publish(payments.onboarding.change(marker.customerId, { status: 'revoked' }))
    await payments.eventually(async () =>
      expect(await payments.list(marker.partner, marker.customerId)).toEqual(notFound),
    )
    const before = payments.onboarding.asked()
    expect(await payments.list(partner, customerId)).toMatchObject({ ok: true })
    expect(payments.onboarding.asked()).toBe(before)
  })
})
