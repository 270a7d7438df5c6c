import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId, queryNone } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { cryptoOrders, fiatOrders, orders, type ListedOrder } from '@causeway/contracts'
import { createFiatCalls, type FiatCalls } from '../fiat-calls.ts'
import { newPartner, startForTests, type RunningPayments } from '../running-payments.ts'

const OPERATOR = { kind: 'operator' as const, actor: 'test' }
let payments: RunningPayments
let fiat: FiatCalls
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
})
afterAll(() => payments.stop())

type Query = Readonly<Record<string, unknown>>
const ask = (query: Query) => payments.ask(orders.list, OPERATOR, { query })

/** The orders of a list, read to its end, `limit` at a time. */
const read = async (query: Query, limit = 2): Promise<ListedOrder[]> => {
  const found: ListedOrder[] = []
  let cursor: string | null = null
  do {
    const answer: Awaited<ReturnType<typeof ask>> = await ask({
      ...query,
      limit: String(limit),
      ...(cursor !== null && { cursor }),
    })
    if (!answer.ok) throw new Error(answer.code)
    found.push(...answer.value.orders)
    cursor = answer.value.next_cursor
  } while (cursor !== null)
  return found
}
const idsOf = async (query: Query, limit?: number): Promise<string[]> =>
  (await read(query, limit)).map((order) => order.order_id)

const setCreated = (table: 'crypto_orders' | 'fiat_orders') =>
  queryNone({
    name: `test.set-created-${table}`,
    parameters: { id: 'text', at: 'timestamptz' },
    text: `UPDATE ${table} SET created_at = :at WHERE id = :id`,
  })
const unopen = queryNone({
  name: 'test.unopen',
  parameters: { orderKey: 'bigint' },
  text: 'UPDATE fiat_orders SET processor_order_id = NULL WHERE order_key = :orderKey',
})

const setReference = queryNone({
  name: 'test.set-reference',
  parameters: { id: 'text', reference: 'text' },
  text: 'UPDATE fiat_orders SET merchant_reference = :reference WHERE id = :id',
})

it('lists crypto and card orders of all partners together, newest first, page by page, by every filter', async () => {
  const [alpha, beta] = [newPartner(), newPartner()]
  const shop = await fiat.newShop(alpha)
  const card = await fiat.newOrder(alpha, shop.customerId, shop.integrationId, { amount_cents: 4_990 })
  payments.clock.advance(1)
  const crypto = await payments.newOrder(alpha, shop.customerId, { amount: 30 })
  payments.clock.advance(1)
  const { customerId: other } = payments.newCustomer(beta)
  const foreign = await payments.newOrder(beta, other, { amount: 70 })
  const hidden = await fiat.newOrder(alpha, shop.customerId, shop.integrationId)
  await unopen(payments.db, { orderKey: Number(hidden.order_key) })
  const [listed] = await read({ kind: 'card', partner_id: alpha.partnerId })
  const cardId = listed?.order_id ?? ''
  expect(listed).toMatchObject({ order_key: card.order_key, amount: '4990', asset: null, network: null })

  const everyone = await idsOf({})
  expect(everyone.slice(0, 3)).toEqual([foreign.id, crypto.id, cardId])
  expect(await idsOf({ partner_id: alpha.partnerId })).toEqual([crypto.id, cardId])
  expect(await idsOf({ partner_id: alpha.partnerId }, 1)).toEqual([crypto.id, cardId])
  expect(await idsOf({ partner_customer_id: shop.customerId }, 1)).toEqual([crypto.id, cardId])
  const merchant = payments.onboarding.merchantOf(shop.customerId)
  expect(await idsOf({ customer_id: merchant })).toEqual([crypto.id, cardId])
  expect(await idsOf({ customer_id: merchant, partner_id: beta.partnerId })).toEqual([])
  expect(await idsOf({ customer_id: newId('merchant') })).toEqual([])
  const ofAlpha = { partner_id: alpha.partnerId }
  expect(await idsOf({ ...ofAlpha, kind: 'crypto' })).toEqual([crypto.id])
  expect(await idsOf({ ...ofAlpha, asset: crypto.asset })).toEqual([crypto.id])
  expect(await idsOf({ ...ofAlpha, asset: 'XRP' })).toEqual([])
  expect(await idsOf({ ...ofAlpha, status: 'pending' })).toEqual([crypto.id, cardId])
  expect(await idsOf({ ...ofAlpha, status: 'completed' })).toEqual([])
  expect(await idsOf({ ...ofAlpha, amount_from: '30', amount_to: '49.89' })).toEqual([crypto.id])
  expect(await idsOf({ ...ofAlpha, amount_from: '49.9', amount_to: '49.90' })).toEqual([cardId])
  expect(await idsOf({ ...ofAlpha, currency: 'USD' })).toEqual([])
})

it('finds the orders of a rare state by its index', async () => {
  const partner = newPartner()
  const { customerId } = payments.newCustomer(partner)
  const order = await payments.newOrder(partner, customerId, { amount: 30 })
  await payments.cancel(partner, order.id)
  expect(await idsOf({ status: 'cancelled' })).toEqual([order.id])
  expect(await idsOf({ status: 'cancelled', partner_id: newPartner().partnerId })).toEqual([])
})

it('lists orders between two times, the earlier inclusive, of everyone and of a customer', async () => {
  const partner = newPartner()
  const { customerId } = payments.newCustomer(partner)
  const made: Awaited<ReturnType<typeof payments.newOrder>>[] = []
  for (let count = 0; count < 3; count += 1) {
    payments.clock.advance(1)
    made.push(await payments.newOrder(partner, customerId, { amount: 30 }))
  }
  const [first, second, third] = made
  const at = (index: number) => made[index]?.createdAt ?? ''
  const ids = [third, second, first].map((order) => order?.id)
  for (const filter of [{ partner_id: partner.partnerId }, { partner_customer_id: customerId }]) {
    expect(await idsOf({ ...filter, since: at(0) })).toEqual(ids)
    expect(await idsOf({ ...filter, since: at(1), until: at(2) })).toEqual([second?.id])
    expect(await idsOf({ ...filter, until: at(1) })).toEqual([first?.id])
  }
  await setCreated('crypto_orders')(payments.db, { id: first?.id ?? '', at: new Date('2020-01-01') })
  expect(await idsOf({ partner_customer_id: customerId, until: '2021-01-01T00:00:00Z' })).toEqual([first?.id])
})

it('refuses the cursor of another filter, values that are no filter, and callers other than staff', async () => {
  const answer = await ask({ limit: '1', kind: 'crypto' })
  const cursor = answer.ok ? answer.value.next_cursor : null
  expect(cursor).not.toBeNull()
  expect(await ask({ limit: '1', kind: 'crypto', cursor })).toMatchObject({ ok: true })
  for (const query of [{ cursor }, { kind: 'card', cursor }, { cursor: 'x’ OR 1=1' }])
    expect(await ask(query)).toMatchObject({ code: 'invalid_cursor' })
  for (const query of [
    { status: 'stolen' },
    { partner_id: 'prt_1' },
    { asset: 'DOGE' },
    { currency: 'euro' },
    { amount_from: '1e3' },
    { since: 'yesterday' },
  ])
    expect(await ask(query)).toMatchObject({ code: 'invalid_request' })
  expect(await payments.ask(orders.list, newPartner(), { query: {} })).toMatchObject({ ok: false })
})

const listOfPartner = (partnerId: string, query: Query = {}) =>
  payments.ask(orders.listOfPartner, OPERATOR, { params: { partnerId }, query })
const listByMerchant = (merchantId: string, query: Query = {}) =>
  payments.ask(orders.listByMerchant, { kind: 'merchant', merchantId }, { query })

const idsOfPartner = async (partnerId: string, query?: Query): Promise<string[]> => {
  const answer = await listOfPartner(partnerId, query)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.orders.map((order) => order.order_id)
}
const idsOfMerchant = async (merchantId: string, query?: Query): Promise<string[]> => {
  const answer = await listByMerchant(merchantId, query)
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.orders.map((order) => order.orderId)
}

/** A crypto and a card order of one customer, with the same reference. */
const newOwner = async (reference: string) => {
  const partner = newPartner()
  const shop = await fiat.newShop(partner)
  const key = await fiat.newOrder(partner, shop.customerId, shop.integrationId, {
    merchant_reference: reference,
  })
  payments.clock.advance(1)
  const crypto = await payments.newOrder(partner, shop.customerId, { reference })
  const [, card = ''] = await idsOfPartner(partner.partnerId)
  const merchantId = payments.onboarding.merchantOf(shop.customerId) ?? ''
  const { customerId } = shop
  return {
    partnerId: partner.partnerId,
    customerId,
    merchantId,
    orderKey: key.order_key,
    card,
    crypto: crypto.id,
  }
}

it('lists the orders of one partner and of one merchant, and no order of others by any filter', async () => {
  const [own, other] = [await newOwner('cart-61'), await newOwner('cart-61')]
  for (const list of [
    (query?: Query) => idsOfPartner(own.partnerId, query),
    (query?: Query) => idsOfMerchant(own.merchantId, query),
  ]) {
    expect(await list()).toEqual([own.crypto, own.card])
    expect(await list({ search: 'cart-61' })).toEqual([own.crypto, own.card])
    expect(await list({ search: own.card })).toEqual([own.card])
    expect(await list({ search: own.crypto })).toEqual([own.crypto])
    expect(await list({ search: own.orderKey })).toEqual([own.card])
    expect(await list({ search: 'cart-61', kind: 'card' })).toEqual([own.card])
    expect(await list({ status: 'completed' })).toEqual([])
    for (const search of [other.card, other.crypto, other.orderKey, 'cart-6', '1'.repeat(30)])
      expect(await list({ search })).toEqual([])
  }
})

it('shows a merchant its orders in the names of its API, without the partner', async () => {
  const { merchantId, card, orderKey } = await newOwner('cart-62')
  const answer = await listByMerchant(merchantId, { kind: 'card' })
  expect(answer).toMatchObject({
    ok: true,
    value: { nextCursor: null, orders: [{ kind: 'card', orderId: card, orderKey, reference: 'cart-62' }] },
  })
  expect(JSON.stringify(answer)).not.toContain('prt_')
})

it('finds a card order once whose reference is its key', async () => {
  const { partnerId, merchantId, card, orderKey } = await newOwner('cart-63')
  await setReference(payments.db, { id: card, reference: orderKey })
  expect(await idsOfPartner(partnerId, { search: orderKey })).toEqual([card])
  expect(await idsOfMerchant(merchantId, { search: orderKey })).toEqual([card])
})

it('continues the lists of a partner and of a merchant, and refuses their cursors to others', async () => {
  const [own, other] = [await newOwner('cart-64'), await newOwner('cart-64')]
  const ofPartner = await listOfPartner(own.partnerId, { limit: '1' })
  const ofMerchant = await listByMerchant(own.merchantId, { limit: '1' })
  const cursor = ofPartner.ok ? ofPartner.value.next_cursor : null
  const before = ofMerchant.ok ? ofMerchant.value.nextCursor : null
  expect(await idsOfPartner(own.partnerId, { limit: '1', cursor })).toEqual([own.card])
  expect(await idsOfMerchant(own.merchantId, { limit: '1', before })).toEqual([own.card])
  expect(await listOfPartner(other.partnerId, { cursor })).toMatchObject({ code: 'invalid_cursor' })
  expect(await listByMerchant(other.merchantId, { before })).toMatchObject({ code: 'invalid_cursor' })
  expect(await listByMerchant(own.merchantId, { before: cursor })).toMatchObject({ code: 'invalid_cursor' })
})

it('leaves out the orders of a revoked relationship for its partner, not for its merchant', async () => {
  const { partnerId, merchantId, customerId, card, crypto } = await newOwner('cart-65')
  await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'revoked' }))
  await eventually(async () => (await idsOfPartner(partnerId)).length === 0)
  expect(await idsOfPartner(partnerId, { search: 'cart-65' })).toEqual([])
  expect(await idsOfMerchant(merchantId)).toEqual([crypto, card])
  expect(await idsOf({ partner_id: partnerId })).toEqual([crypto, card])
})

const cryptoOf = (partnerId: string, query: Query = {}) =>
  payments.ask(cryptoOrders.listOfPartner, { ...newPartner(), partnerId }, { query })
const cardsOf = (partnerId: string, query: Query = {}) =>
  payments.ask(fiatOrders.listOfPartner, { ...newPartner(), partnerId }, { query })

it('lists the orders of all customers of a partner as its own lists have them, by every filter', async () => {
  const partner = newPartner()
  const { partnerId } = partner
  const [one, two] = [await fiat.newShop(partner), await fiat.newShop(partner)]
  const first = await payments.newOrder(partner, one.customerId, { reference: 'cart-65' })
  payments.clock.advance(1)
  const second = await payments.newOrder(partner, two.customerId, { reference: 'cart-66' })
  await payments.cancel(partner, second.id)
  const card = await fiat.newOrder(partner, two.customerId, two.integrationId, {
    merchant_reference: 'cart-65',
  })
  const foreign = await newOwner('cart-65')

  const listed = await payments.list(partner, one.customerId)
  const [row] = listed.ok ? listed.value.orders : []
  expect(await cryptoOf(partnerId, { reference: 'cart-65' })).toEqual({
    ok: true,
    value: { orders: [{ ...row, partnerCustomerId: one.customerId }], next_cursor: null },
  })
  const cryptoIds = async (query: Query) => {
    const answer = await cryptoOf(partnerId, query)
    return answer.ok ? answer.value.orders.map(({ id }) => id) : answer.code
  }
  expect(await cryptoIds({})).toEqual([second.id, first.id])
  expect(await cryptoIds({ status: 'cancelled' })).toEqual([second.id])
  expect(await cryptoIds({ status: 'paid' })).toEqual([])
  expect(await cryptoIds({ created_since: second.createdAt })).toEqual([second.id])
  expect(await cryptoIds({ created_until: second.createdAt })).toEqual([first.id])
  // A reference is not an id.
  expect(await cryptoIds({ reference: first.id })).toEqual([])
  expect(await cryptoIds({ reference: 'cart-67' })).toEqual([])
  expect(await cardsOf(partnerId, { reference: 'cart-65' })).toEqual({
    ok: true,
    value: { orders: [card], next_cursor: null },
  })
  expect(await cardsOf(partnerId, { reference: card.order_key })).toMatchObject({ value: { orders: [] } })
  expect(await cardsOf(partnerId, { status: 'paid' })).toMatchObject({ value: { orders: [] } })
  expect(await cardsOf(foreign.partnerId)).toMatchObject({ value: { orders: [{ order_id: foreign.card }] } })
})

it("continues a partner's lists, and refuses their cursors to other filters and partners", async () => {
  const partner = newPartner()
  const { partnerId } = partner
  const { customerId } = payments.newCustomer(partner)
  const made: string[] = []
  for (let count = 0; count < 3; count += 1) {
    payments.clock.advance(1)
    made.unshift((await payments.newOrder(partner, customerId, { amount: 30 })).id)
  }
  const page = await cryptoOf(partnerId, { limit: '2' })
  if (!page.ok) throw new Error(page.code)
  expect(page.value.orders.map(({ id }) => id)).toEqual(made.slice(0, 2))
  const before = page.value.next_cursor
  expect(await cryptoOf(partnerId, { limit: '2', before })).toMatchObject({
    value: { orders: [{ id: made[2] }], next_cursor: null },
  })
  for (const [other, query] of [
    [newPartner().partnerId, { before }],
    [partnerId, { before, status: 'pending' }],
  ] as const)
    expect(await cryptoOf(other, query)).toEqual({ ok: false, code: 'invalid_cursor' })
  expect(await cardsOf(partnerId, { before })).toEqual({ ok: false, code: 'invalid_cursor' })
})

it('leaves out orders that their partner may not see', async () => {
  const partner = newPartner()
  const shop = await fiat.newShop(partner)
  const crypto = await payments.newOrder(partner, shop.customerId, { amount: 30 })
  const card = await fiat.newOrder(partner, shop.customerId, shop.integrationId)
  const ids = async () => {
    const [ofCrypto, ofCards] = [await cryptoOf(partner.partnerId), await cardsOf(partner.partnerId)]
    if (!ofCrypto.ok || !ofCards.ok) throw new Error('refused')
    return [
      ...ofCrypto.value.orders.map(({ id }) => id),
      ...ofCards.value.orders.map(({ order_id: id }) => id),
    ]
  }
  expect(await ids()).toEqual([crypto.id, card.order_id])
  const state = payments.onboarding.change(shop.customerId, {})
  await payments.onboarding.publish(
    payments.onboarding.change(shop.customerId, {
      capabilities: state.capabilities.map((entry) =>
        entry.capability === 'payments.crypto' ? { ...entry, enabled: false } : entry,
      ),
    }),
  )
  await eventually(async () => (await ids()).length === 1)
  expect(await ids()).toEqual([card.order_id])
  await payments.onboarding.publish(payments.onboarding.change(shop.customerId, { status: 'revoked' }))
  await eventually(async () => (await ids()).length === 0)
})
