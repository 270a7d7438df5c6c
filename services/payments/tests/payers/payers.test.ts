import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { call, newId } from '@causeway/chassis'
import { TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { chargebackCases, payers, refundableOrders, type PayerRecord } from '@causeway/contracts'
import { createCardCalls } from '../card-calls.ts'
import { createFiatCalls } from '../fiat-calls.ts'
import { dumpOf, revealedIn } from './payers-in-database.ts'
import { PAYER_RETENTION_MS, startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
let fiat: ReturnType<typeof createFiatCalls>
let cards: ReturnType<typeof createCardCalls>
beforeAll(async () => {
  payments = await startForTests()
  fiat = createFiatCalls(payments)
  cards = createCardCalls(payments)
})
afterAll(() => payments.stop())

const OPERATOR = { kind: 'operator', actor: 'staff' } as const
type Asked = { email?: string; ip?: string }

/** All exported records of a payer, page by page. */
const exported = async (body: Asked, limit = '1') => {
  const records: PayerRecord[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { limit, ...(cursor === null ? {} : { cursor }) }
    const page = await payments.ask(payers.export, OPERATOR, { body, query })
    if (!page.ok) throw new Error(`Not exported: ${page.code}`)
    records.push(...page.value.records)
    cursor = page.value.next_cursor
  } while (cursor !== null)
  return records
}
/** Repeats the erasure until everything was scanned. */
const erased = async (body: Asked, limit = '5000') => {
  const calls = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { limit, ...(cursor === null ? {} : { cursor }) }
    const answer = await payments.ask(payers.erase, OPERATOR, { body, query })
    if (!answer.ok) throw new Error(`Not erased: ${answer.code}`)
    calls.push(answer.value)
    cursor = answer.value.next_cursor
  } while (cursor !== null)
  return calls
}
const reportOf = async (body: Asked) => {
  const [report] = await erased(body)
  return {
    erased: report?.erased,
    remaining: report?.remaining.map(({ what, until }) => ({ what, until })),
  }
}
/** When the key of this month is deleted. */
const monthsEnd = () => {
  const now = payments.clock.now()
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  return new Date(next + PAYER_RETENTION_MS).toISOString()
}

const revealed = () => revealedIn(payments)
const dumped = () => dumpOf(payments)
const fingerprintsOf = (email: string, ip: string) => [
  payments.vault.mac('payer-email', email).toString('hex'),
  payments.vault.mac('payer-ip', ip).toString('hex'),
]
const casesOf = async ({ partner, customerId }: Awaited<ReturnType<typeof fiat.newShop>>) => {
  const listed = await payments.ask(chargebackCases.list, partner, { params: { customerId }, query: {} })
  if (!listed.ok) throw new Error(`No cases: ${listed.code}`)
  return listed.value.chargeback_cases
}
const lift = async ({ partner, customerId }: Awaited<ReturnType<typeof fiat.newShop>>, caseId: string) =>
  payments.ask(chargebackCases.lift, partner, { params: { customerId, caseId } })

const kindsOf = (records: readonly PayerRecord[]) => records.map(({ kind, id }) => [kind, id])

it.each([payers.export, payers.erase])(
  'refuses an unknown field in a request about a payer: $operationId',
  async (operation) => {
    const body = { email: 'buyer@example.com', pager: '555' }
    expect(await payments.ask(operation, OPERATOR, { body, query: {} })).toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'pager', reason: 'unknown_field' }],
    })
  },
)

it('exports everything known of a payer, and of nobody else, in pages', async () => {
  const buyer = {
    email: 'Export@Example.com',
    firstName: 'Ex',
    lastName: 'Port',
    phone: '+4930123',
    country: 'DE',
  }
  const { partner, customerId } = payments.newCustomer()
  const crypto = await payments.newOrder(partner, customerId, buyer)
  await payments.newOrder(partner, customerId, { email: 'not.export@example.com' })
  const shop = await fiat.newShop()
  const payer = { payer_email: 'export@example.com', payer_ip: '203.0.113.61' }
  const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId, payer)
  await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId, { payer_email: 'n@example.com' })
  await cards.pay(order)
  await cards.dispute(order)

  const byEmail = await exported({ email: ' export@example.COM' })
  const cases = await casesOf(shop)
  const idOf = (kind: string) => cases.find((each) => each.kind === kind)?.case_id
  expect(kindsOf(byEmail)).toEqual([
    ['crypto_order', crypto.id],
    ['card_order', order.order_id],
    ['chargeback_case', idOf('email')],
  ])
  expect(byEmail[0]?.data).toMatchObject({ ...buyer, partner_id: partner.partnerId, status: 'pending' })
  expect(byEmail[1]?.data).toMatchObject({ ...payer, order_key: order.order_key, total_cents: 10_000 })
  expect(byEmail[2]?.data).toMatchObject({ value_masked: 'e***@example.com', order_keys: [order.order_key] })
  const byIp = await exported({ ip: '::ffff:203.0.113.61' })
  expect(byIp.map(({ kind }) => kind)).toEqual(['card_order', 'chargeback', 'chargeback_case'])
  expect([byIp[0]?.id, byIp[2]?.id]).toEqual([order.order_id, idOf('ip')])
  expect(await exported({ email: 'nobody@example.com' }, '100')).toEqual([])
})

it('erases a payer at every merchant, reports what remains, and leaves other payers unchanged', async () => {
  const email = 'canary-erase@example.com'
  const ip = '203.0.113.62'
  const { partner, customerId } = payments.newCustomer()
  await payments.newOrder(partner, customerId, { email, phone: '+49canary' })
  await payments.newOrder(partner, customerId, { email: 'stays-crypto@example.com' })
  const shop = await fiat.newShop()
  const newOrder = (payer_email: string, payer_ip: string) =>
    fiat.newOrder(shop.partner, shop.customerId, shop.integrationId, { payer_email, payer_ip })
  const order = await newOrder(email, ip)
  const other = await newOrder('stays-card@example.com', '203.0.113.63')
  for (const each of [order, other]) {
    await cards.pay(each)
    await cards.dispute(each)
  }
  for (const { case_id } of await casesOf(shop)) expect(await lift(shop, case_id)).toMatchObject({ ok: true })
  const fingerprints = fingerprintsOf(email, ip)
  const stays = ['stays-crypto@example.com', 'stays-card@example.com', '203.0.113.63']
  const before = await revealed()
  expect([email, ip, '+49canary', ...stays].filter((value) => !before.includes(value))).toEqual([])
  const dumpBefore = await dumped()
  expect(fingerprints.filter((fingerprint) => !dumpBefore.includes(fingerprint))).toEqual([])

  expect(await reportOf({ email })).toEqual({
    erased: [
      { what: 'crypto_orders', count: 1 },
      { what: 'card_orders', count: 1 },
      { what: 'chargebacks', count: 1 },
      { what: 'chargeback_cases', count: 2 },
    ],
    remaining: [
      { what: 'webhook_events', until: null },
      { what: 'backups', until: monthsEnd() },
    ],
  })

  const after = await revealed()
  expect([email, ip, '+49canary'].filter((value) => after.includes(value))).toEqual([])
  expect(stays.filter((value) => !after.includes(value))).toEqual([])
  const dump = await dumped()
  expect([...fingerprints, 'c***@example.com'].filter((fingerprint) => dump.includes(fingerprint))).toEqual(
    [],
  )
  const others = fingerprintsOf('stays-card@example.com', '203.0.113.63')
  expect(others.filter((fingerprint) => !dump.includes(fingerprint))).toEqual([])
  expect(await exported({ email })).toEqual([])
  expect(await reportOf({ email })).toEqual({ erased: [], remaining: [] })
})

it('continues payments without the payer, who is not read again from the processor', async () => {
  const email = 'canary-money@example.com'
  const ip = '203.0.113.64'
  const shop = await fiat.newShop()
  const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId, { payer_email: email })
  expect(await reportOf({ email })).toMatchObject({ erased: [{ what: 'card_orders', count: 1 }] })

  await cards.pay(order, { ip, email })
  const envelope = {
    caller: { kind: 'service' as const, service: 'refunds' },
    requestId: newId('request'),
    timeoutMs: TEST_DEADLINE_MS,
    safe: false,
  }
  const recorded = await call(payments.bus, payments.clock, refundableOrders.recordRefund, {
    ...envelope,
    body: {
      partner_id: shop.partner.partnerId,
      order_key: order.order_key,
      refund_id: newId('refund'),
      processor: 'processor',
      processor_order_id: payments.cards.ofOrder(order.order_key).payment_id,
      processor_refund_id: 'sbr_after_erasure',
      amount_cents: 2_500,
      currency: 'EUR',
    },
  })
  expect(recorded).toEqual({ ok: true, value: { partner_sees: true } })
  expect(await fiat.get(shop.partner, order.order_key)).toMatchObject({
    value: { order: { status: 'paid', refunded_cents: 2_500 } },
  })
  await cards.dispute(order)
  expect(await fiat.get(shop.partner, order.order_key)).toMatchObject({
    value: { order: { status: 'chargeback' } },
  })
  expect(await casesOf(shop)).toEqual([])
  const all = `${await revealed()}${await dumped()}`
  expect([email, ip, ...fingerprintsOf(email, ip)].filter((value) => all.includes(value))).toEqual([])
})

it('keeps a case that blocks the payer until it is lifted', async () => {
  const email = 'canary-blocked@example.com'
  const ip = '203.0.113.65'
  const shop = await fiat.newShop()
  const payer = { payer_email: email, payer_ip: ip }
  const order = await fiat.newOrder(shop.partner, shop.customerId, shop.integrationId, payer)
  await cards.pay(order)
  await cards.dispute(order)
  expect(await reportOf({ ip })).toEqual({
    erased: [{ what: 'card_orders', count: 1 }],
    remaining: [
      { what: 'chargeback_cases', until: null },
      { what: 'webhook_events', until: null },
      { what: 'backups', until: monthsEnd() },
    ],
  })
  const blocked = await fiat.create(shop.partner, shop.customerId, {
    integration_id: shop.integrationId,
    amount_cents: 100,
    currency: 'EUR',
    payer_ip: ip,
  })
  expect(blocked).toMatchObject({ ok: false })
  const cases = await casesOf(shop)
  expect(cases.map(({ status }) => status)).toEqual(['active', 'active'])
  for (const { case_id } of cases) expect(await lift(shop, case_id)).toMatchObject({ ok: true })
  const dump = await dumped()
  expect(fingerprintsOf(email, ip).filter((fingerprint) => dump.includes(fingerprint))).toEqual([])
})

it('scans no more orders a call than its limit, and the next call continues there', async () => {
  const email = 'canary-steps@example.com'
  const { partner, customerId } = payments.newCustomer()
  for (let n = 0; n < 3; n += 1) await payments.newOrder(partner, customerId, { email })
  const calls = await erased({ email }, '1')
  const counts = calls.flatMap((each) => each.erased.map(({ count }) => count))
  expect([counts, calls.at(-1)?.next_cursor]).toEqual([[1, 1, 1], null])
  const ofOther = calls[0]?.next_cursor
  expect(
    await payments.ask(payers.erase, OPERATOR, { body: { ip: '203.0.113.1' }, query: { cursor: ofOther } }),
  ).toMatchObject({ ok: false, code: 'invalid_cursor' })
})

it.each([
  [{}, [{ field: 'email', reason: 'required' }]],
  [{ email: 'a@example.com', ip: '203.0.113.1' }, [{ field: 'ip', reason: 'invalid_value' }]],
  [{ ip: 'nowhere' }, [{ field: 'ip', reason: 'invalid_value' }]],
])('requires exactly one criterion for a payer: %j', async (body, details) => {
  for (const operation of [payers.export, payers.erase])
    expect(await payments.ask(operation, OPERATOR, { body, query: {} })).toMatchObject({
      ok: false,
      code: 'invalid_request',
      details,
    })
})
