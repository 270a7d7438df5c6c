import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { SCOPES } from '@causeway/contracts'
import { createRawClient, dataOf, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { cardOrderBody } from '@causeway/scenario'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { signInByKey } from '../screens/visitors.ts'
import {
  newCustomer,
  newPartner,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'
import { visit } from './portal-visitor.ts'

const WRITE_OFFS = '/api/operator/ledger/write-offs'
/** The debt after a disputed order of 10,000 whose money was paid out, with the processor's fee. */
const OWED = 11_500

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let ada: RawClient
let adaKey: string
let ben: RawClient
/** Customers whose orders are disputed after the payout: one pays it back by later orders, the other one does not. */
let recovering: TestCustomer
let lost: TestCustomer

const newFinancePerson = async (name: string) => {
  const { key: staffKey } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name, role: 'finance' }),
  )
  const headers = { authorization: `Bearer ${staffKey}` }
  return [createRawClient({ baseUrl: platform.baseUrl, headers }), staffKey] as const
}
const key = () => ({ 'idempotency-key': newId('request') })

beforeAll(async () => {
  platform = await startTestPlatform({ CARD_AVAILABLE_AFTER: '1s' })
  partner = await newPartner(platform, {
    scopes: SCOPES,
    default_capabilities: ['payments.fiat_card', 'payouts', 'wallets'],
  })
  ;[ada, adaKey] = await newFinancePerson('Ada')
  ;[ben] = await newFinancePerson('Ben')
  recovering = await newCustomer(platform, partner.causeway)
  lost = await newCustomer(platform, partner.causeway)
})
afterAll(() => platform.stop())

const availableOf = async ({ path }: TestCustomer): Promise<number> => {
  const { wallets } = dataOf<{ wallets: { unit: string; available: number }[] }>(
    await partner.api.get(`${path}/wallets`),
  )
  return wallets.find(({ unit }) => unit === 'EUR')?.available ?? 0
}
const become = (customer: TestCustomer, available: number) =>
  eventually(async () => {
    expect(await availableOf(customer)).toBe(available)
    return true
  })
const payOrder = async (customer: TestCustomer): Promise<string> => {
  const body = {
    ...(await cardOrderBody(partner.causeway, customer.customerId)),
    service_fee_payer: 'customer',
  }
  const made = await partner.api.post(`${customer.path}/fiat-orders`, body, key())
  const { order } = dataOf<{ order: { order_key: string } }>(made)
  dataOf(await platform.sandbox.post(`/control/card-payments/${order.order_key}`, { outcome: 'completed' }))
  return order.order_key
}
/** Runs payouts for a customer. @returns the amounts that were paid, and why nothing was */
const run = async ({ customerId }: TestCustomer) => {
  const { payouts, skipped } = dataOf<{
    payouts: { payout_id: string; amount_cents: number }[]
    skipped: { reason: string; available: number }[]
  }>(await ada.post('/api/operator/payouts/run', { partner_customer_id: customerId }, key()))
  for (const { payout_id: id } of payouts) dataOf(await ada.post(`/api/operator/payouts/${id}/sent`, {}))
  return [
    ...payouts.map((each) => ['paid', each.amount_cents]),
    ...skipped.map((each) => [each.reason, each.available]),
  ]
}
/** Pays an order out, and has its buyer dispute it afterwards. */
const fallBelowZero = async (customer: TestCustomer): Promise<void> => {
  const orderKey = await payOrder(customer)
  await become(customer, 10_000)
  expect(await run(customer)).toEqual([['paid', 10_000]])
  dataOf(await platform.sandbox.post(`/control/chargebacks/${orderKey}`, { amount_cents: 10_000 }))
  await become(customer, -OWED)
}

type Action = Readonly<{ pending_action_id: string; status: string; code: string | null }>
const reason = 'The merchant has closed its shop'
const ask = (customer: TestCustomer, amount: number, change: object = {}) =>
  ada.post(
    WRITE_OFFS,
    { partner_customer_id: customer.customerId, unit: 'EUR', amount, reason, ...change },
    key(),
  )
const hold = async (customer: TestCustomer, amount: number): Promise<Action> => {
  const held = await ask(customer, amount)
  expect(held.status).toBe(202)
  return dataOf<{ pending_action: Action }>(held).pending_action
}
const confirmAs = (person: RawClient, { pending_action_id: id }: Action) =>
  person.post(`/api/operator/pending-actions/${id}/confirm`)
const written = async () =>
  dataOf<{ write_offs: { amount: number; partner_customer_id: string; reason: string }[] }>(
    await ada.get(WRITE_OFFS),
  ).write_offs
/** The platform's losses in EUR, and the difference of debits and credits. */
const books = async () => {
  const { units } = dataOf<{
    units: { unit: string; difference: number; accounts: { account: string; balance: number }[] }[]
  }>(await ada.get('/api/operator/ledger/trial-balance'))
  const euro = units.find(({ unit }) => unit === 'EUR')
  const lossOf = euro?.accounts.find(({ account }) => account === 'cost:loss')
  return { difference: euro?.difference, loss: lossOf?.balance ?? 0 }
}

test('pays nothing out while a disputed payout leaves the balance negative, and recovers it from later payments', async () => {
  await fallBelowZero(recovering)
  expect(await run(recovering)).toEqual([['negative', -OWED]])
  const outdated = await hold(recovering, OWED)
  await payOrder(recovering)
  await become(recovering, 10_000 - OWED)
  expect(await run(recovering)).toEqual([['negative', 10_000 - OWED]])

  const refused = await confirmAs(ben, outdated)
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('"changed"')])
  const path = `/api/operator/pending-actions/${outdated.pending_action_id}`
  expect(dataOf<{ pending_action: Action }>(await ben.get(path)).pending_action.status).toBe('outdated')

  await payOrder(recovering)
  await become(recovering, 20_000 - OWED)
  const { status, body } = await ask(recovering, 1)
  expect([status, body]).toMatchObject([
    400,
    { error: { details: [{ field: 'amount', reason: 'too_big', expected: 'at most 0' }] } },
  ])
  expect(await run(recovering)).toEqual([['paid', 20_000 - OWED]])
  expect([await written(), (await books()).loss]).toEqual([[], 0])
})

test('writes a negative balance off once a second person confirms it, although FOUR_EYES is not set', async () => {
  await fallBelowZero(lost)
  const { status, body } = await ask(lost, OWED + 1)
  expect([status, body]).toMatchObject([
    400,
    { error: { details: [{ field: 'amount', reason: 'too_big', expected: `at most ${OWED}` }] } },
  ])
  const action = await hold(lost, 1_500)
  expect([await availableOf(lost), await written()]).toEqual([-OWED, []])
  const alone = await confirmAs(ada, action)
  expect([alone.status, JSON.stringify(alone.body)]).toEqual([409, expect.stringContaining('same_person')])
  expect(await availableOf(lost)).toBe(-OWED)

  const confirmed = await confirmAs(ben, action)
  expect(dataOf<{ pending_action: Action }>(confirmed).pending_action.status).toBe('done')
  expect(await availableOf(lost)).toBe(1_500 - OWED)
  expect((await confirmAs(ben, action)).status).toBe(409)
  expect(await written()).toMatchObject([{ partner_customer_id: lost.customerId, amount: 1_500, reason }])
  expect(await books()).toEqual({ difference: 0, loss: 1_500 })

  const { entries } = dataOf<{ entries: { before: unknown; confirmed_by: string | null }[] }>(
    await ada.get('/api/operator/audit?order=newest&action=ledger.adjustments.write-off'),
  )
  expect(entries).toContainEqual(
    expect.objectContaining({ before: { available: -OWED }, confirmed_by: expect.any(String) }),
  )
})

test('writes the rest off by the form of the account, which says how much is owed and where the action waits', async () => {
  const { cookie, formToken } = await signInByKey(platform, adaKey)
  const open = async (path: string) => (await visit(`${platform.baseUrl}${path}`, { cookie })).text
  const accounts = await open(`/console/books/accounts?owner_id=${lost.customerId}&unit=EUR`)
  const accountPath = new RegExp(`/console/books/accounts/\\d+(?="><code>${lost.customerId}:available)`)
  const account = accountPath.exec(accounts)?.[0] ?? ''
  expect(await open(account)).toContain('value="100.00"')
  const send = (amount: string) =>
    visit(`${platform.baseUrl}${account}/write-off`, {
      cookie,
      form: { form_token: formToken, amount, reason, key: 'the-form' },
    })
  const refused = await send('100.01')
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Enter at most 100.00')])
  const asked = await send('100')
  expect([asked.status, asked.location]).toEqual([303, expect.stringContaining('/console/pending-actions/')])
  const held = asked.location ?? ''
  expect(await open(held)).toContain('Write off a negative balance')
  expect(await open('/console')).toContain('Waiting for a second person')
  dataOf(await ben.post(`/api/operator${held.replace('/console', '')}/confirm`))
  expect(await availableOf(lost)).toBe(0)
  expect(await open(account)).not.toContain('Write off')
  expect(await open('/console/books/write-offs')).toContain('€100.00')
  expect(await books()).toEqual({ difference: 0, loss: OWED })
})
