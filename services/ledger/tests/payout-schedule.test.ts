import { newId } from '@causeway/chassis'
import { payoutSchedule, payoutWallets, type CapabilityName } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { askFees } from './fixtures/fake-payments.ts'
import { adjustmentPosting } from '../src/adjustments/adjustment.ts'
import { runDueSchedules } from '../src/payout-schedule/jobs/run-due.ts'
import { postBatch } from '../src/posting/post-facts.ts'
import { verifyBooks } from '../src/verification/verify.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

const DAY_MS = 86_400_000
const GRANTS: readonly CapabilityName[] = ['payout_wallets', 'payouts', 'wallets']
const DAILY = { unit: 'EUR', interval: 'daily' }
const MANUAL = {
  ...{ interval: 'manual', weekday: null, day: null },
  ...{ minimum_amount: 0, payout_wallet_id: null, next_at: null },
}

let ledger: RunningLedger
beforeAll(async () => {
  ledger = await startForTests({ walletRules: { requiresProof: false, waitMs: 0 } })
})
afterAll(() => ledger.stop())

type Customer = Readonly<{ partnerId: string; customerId: string }>
const newCustomer = (grants = GRANTS): Customer => {
  const state = ledger.onboarding.relate({ grants })
  return { partnerId: state.partner_id, customerId: state.partner_customer_id }
}
const set = ({ partnerId, customerId }: Customer, schedules: readonly object[]) =>
  ledger.asPartner(payoutSchedule.set, partnerId, { params: { customerId }, body: { schedules } })
const get = ({ partnerId, customerId }: Customer) =>
  ledger.asPartner(payoutSchedule.get, partnerId, { params: { customerId } })
const codeOf = (answer: Awaited<ReturnType<typeof set>>) => (answer.ok ? 'set' : answer.code)
const earn = (ownerId: string, amount: bigint) => {
  const at = ledger.clock.now()
  const posting = adjustmentPosting({ ownerId, unit: 'EUR', amount }, newId('adjustment'), at)
  return postBatch(ledger.db.pooled, { postings: [posting] }, at)
}
const addWallet = async ({ partnerId, customerId }: Customer): Promise<string> => {
  const answer = await ledger.asPartner(payoutWallets.create, partnerId, {
    params: { customerId },
    body: { kind: 'iban', iban: 'DE89370400440532013000', holder_name: 'Example GmbH' },
    idempotencyKey: newId('request'),
  })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.payout_wallet.payout_wallet_id
}
const confirm = (payoutWalletId: string) =>
  ledger.asStaff(payoutWallets.confirm, { params: { payoutWalletId } })
const remove = ({ partnerId, customerId }: Customer, payoutWalletId: string) =>
  ledger.asPartner(payoutWallets.delete, partnerId, { params: { customerId, payoutWalletId } })
const midnightAfter = (days: number) =>
  new Date((Math.floor(ledger.clock.nowMs() / DAY_MS) + days) * DAY_MS).toISOString()
/** Runs what is due at the beginning of a day from now on. */
const runAt = (days: number) =>
  runDueSchedules({
    db: ledger.db,
    ask: askFees(),
    clock: { now: () => new Date(midnightAfter(days)) },
    cutOffMs: 0,
  })
const payoutsOf = ({ customerId }: Customer) =>
  ledger.sql('SELECT amount_cents::text AS amount, payout_wallet_id FROM payouts WHERE owner_id = $1', [
    customerId,
  ])

test('shows a balance as manual until its schedule is set, and makes those that a request leaves out manual', async () => {
  const customer = newCustomer()
  await earn(customer.customerId, 100n)
  expect(await get(customer)).toMatchObject({ value: { schedules: [{ ...MANUAL, unit: 'EUR' }] } })
  const daily = { ...MANUAL, ...DAILY, minimum_amount: 500, next_at: midnightAfter(1) }
  const monthly = { ...MANUAL, unit: 'USD', interval: 'monthly', day: 'last', next_at: expect.any(String) }
  const given = [
    { ...DAILY, minimum_amount: 500 },
    { unit: 'USD', interval: 'monthly', day: 'last' },
  ]
  expect(await set(customer, given)).toMatchObject({ value: { schedules: [daily, monthly] } })
  expect(await get(customer)).toMatchObject({ value: { schedules: [daily, monthly] } })
  const weekly = { unit: 'USD', interval: 'weekly', weekday: 'friday' }
  expect(await set(customer, [weekly])).toMatchObject({
    value: {
      schedules: [
        { ...MANUAL, unit: 'EUR' },
        { ...weekly, day: null },
      ],
    },
  })
})

test('keeps the schedules of one of many simultaneous requests, never a mixture', async () => {
  const customer = newCustomer()
  const units = ['EUR', 'USD', 'GBP', 'CHF']
  const requests = units.flatMap((unit) => [unit, unit].map(() => set(customer, [{ ...DAILY, unit }])))
  expect((await Promise.all(requests)).map(codeOf)).toEqual(Array(8).fill('set'))
  const answer = await get(customer)
  const daily = answer.ok ? answer.value.schedules.filter(({ interval }) => interval === 'daily') : []
  expect(daily).toHaveLength(1)
})

test('pays to the destination of a schedule, and nothing while that one is not active', async () => {
  const customer = newCustomer()
  await earn(customer.customerId, 700n)
  const id = await addWallet(customer)
  expect(codeOf(await set(customer, [{ ...DAILY, payout_wallet_id: id }]))).toBe('set')
  await runAt(1)
  expect(await payoutsOf(customer)).toEqual([])
  await confirm(id)
  await runAt(2)
  expect(await payoutsOf(customer)).toEqual([{ amount: '700', payout_wallet_id: id }])
  await earn(customer.customerId, 20n)
  await remove(customer, id)
  await runAt(3)
  expect(await payoutsOf(customer)).toHaveLength(1)
  expect(await verifyBooks(ledger.db.pooled, new Date(midnightAfter(4)))).toEqual([])
})

test('pays nothing by a schedule once the capability is withdrawn', async () => {
  const customer = newCustomer()
  await earn(customer.customerId, 700n)
  await set(customer, [DAILY])
  await ledger.sql("UPDATE relationships SET grants = '{wallets}' WHERE partner_customer_id = $1", [
    customer.customerId,
  ])
  await runAt(4)
  expect(await payoutsOf(customer)).toEqual([])
})

test('refuses destinations of others, of another unit, and those that are deleted or refused', async () => {
  const [customer, other] = [newCustomer(), newCustomer()]
  const foreign = await addWallet(other)
  const [deleted, refused] = [await addWallet(customer), await addWallet(customer)]
  await remove(customer, deleted)
  await ledger.asStaff(payoutWallets.refuse, {
    params: { payoutWalletId: refused },
    body: { reason: 'Not its own' },
  })
  const to = (payout_wallet_id: string, unit = 'EUR') => set(customer, [{ ...DAILY, unit, payout_wallet_id }])
  expect(codeOf(await to(foreign))).toBe('resource_not_found')
  expect(codeOf(await to(newId('payoutWallet')))).toBe('resource_not_found')
  expect(await to(refused, 'USD')).toMatchObject({
    code: 'invalid_request',
    details: [{ field: 'schedules.0.unit', reason: 'invalid_value', expected: 'EUR' }],
  })
  expect(await to(deleted)).toMatchObject({
    code: 'invalid_state',
    details: [{ payout_wallet_status: 'deleted' }],
  })
  expect(await to(refused)).toMatchObject({
    code: 'invalid_state',
    details: [{ payout_wallet_status: 'refused' }],
  })
  expect(await get(customer)).toMatchObject({ value: { schedules: [] } })
})

test.each([
  ['a weekly one without a weekday', [{ unit: 'EUR', interval: 'weekly' }], 'schedules.0.weekday'],
  ['a daily one with a day', [{ ...DAILY, day: 3 }], 'schedules.0.day'],
  ['a unit twice', [DAILY, DAILY], 'schedules'],
  ['an asset', [{ ...DAILY, unit: 'ETH/USDC' }], 'schedules.0.unit'],
  ['a minimum below 0', [{ ...DAILY, minimum_amount: -1 }], 'schedules.0.minimum_amount'],
])('refuses %s, and names the field', async (_, schedules, field) => {
  expect(await set(newCustomer(), schedules)).toMatchObject({
    code: 'invalid_request',
    details: [expect.objectContaining({ field })],
  })
})

test('lets a partner schedule payouts only for its own customers, and requires the capability', async () => {
  const customer = newCustomer()
  const stranger = { ...customer, partnerId: newId('partner') }
  expect([codeOf(await set(stranger, [DAILY])), (await get(stranger)).ok]).toEqual([
    'resource_not_found',
    false,
  ])
  expect(codeOf(await set(newCustomer(['wallets']), [DAILY]))).toBe('capability_not_enabled')
})
