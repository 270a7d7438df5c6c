import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { DEFAULT_SCOPES, SCOPES } from '@causeway/contracts'
import { createRawClient, dataOf, signIn, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { signInByKey } from '../screens/visitors.ts'
import {
  newCustomer,
  newPartner,
  registerReceiver,
  startTestPlatform,
  type TestCustomer,
  type TestPlatform,
} from './platform.ts'
import { visit } from './portal-visitor.ts'

type Wallet = Readonly<{ payout_wallet_id: string; status: string; address: string | null }>

const WAIT_MS = 60_000

let platform: TestPlatform
let partner: Awaited<ReturnType<typeof newPartner>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
let customer: TestCustomer
let ada: RawClient
let ben: RawClient
const newFinancePerson = async (name: string): Promise<RawClient> => {
  const { key } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name, role: 'finance' }),
  )
  return createRawClient({ baseUrl: platform.baseUrl, headers: { authorization: `Bearer ${key}` } })
}

beforeAll(async () => {
  platform = await startTestPlatform({ FOUR_EYES: 'destinations', PAYOUT_WALLET_WAIT: `${WAIT_MS / 1_000}s` })
  partner = await newPartner(platform, {
    scopes: SCOPES,
    default_capabilities: ['payout_wallets', 'withdrawals'],
  })
  receiver = await startReceiver()
  await registerReceiver(platform, partner.partnerId, receiver, [
    'payout_wallet.added',
    'payout_wallet.active',
  ])
  ada = await newFinancePerson('Ada')
  ben = await newFinancePerson('Ben')
})
beforeEach(async () => {
  customer = await newCustomer(platform, partner.causeway)
})
afterAll(async () => {
  await platform.stop()
  await receiver.stop()
})

const IBAN = { kind: 'iban', iban: 'DE89370400440532013000', holder_name: 'Mallory' }
const wallets = (path = customer.path) => `${path}/payout-wallets`
const key = () => ({ 'idempotency-key': newId('request') })
/** A thief with a token of the partner's that has every scope. */
const add = async (body: object = IBAN): Promise<Wallet> =>
  dataOf<{ payout_wallet: Wallet }>(await partner.api.post(wallets(), body, key())).payout_wallet
const withdrawTo = async ({ payout_wallet_id: id }: Wallet) => {
  const body = { unit: 'EUR', amount_cents: 100, payout_wallet_id: id }
  const { status, body: answer } = await partner.api.post(`${customer.path}/withdrawals`, body, key())
  return [status, answer.error?.code, answer.error?.details?.[0]]
}
const waits = [409, 'invalid_state', { payout_wallet_status: 'waiting' }]
/** Nothing was earned: the destination alone would be paid. */
const wouldBePaid = [409, 'amount_exceeds_available', { available: 0 }]
const statusOf = async ({ payout_wallet_id: id }: Wallet): Promise<string> =>
  dataOf<{ payout_wallet: Wallet }>(await partner.api.get(`${wallets()}/${id}`)).payout_wallet.status
const endWaiting = async (): Promise<void> => {
  dataOf(await platform.sandbox.post('/control/clock', { advance_ms: WAIT_MS + 1_000 }))
}
const decision = (wallet: Wallet, verb: string) =>
  `/api/operator/payout-wallets/${wallet.payout_wallet_id}/${verb}`
/** Asks for a decision that a second person must confirm. @returns the path of its pending action */
const ask = async (person: RawClient, path: string, body?: object): Promise<string> => {
  const held = await person.post(path, body)
  expect(held.status).toBe(202)
  const { pending_action: action } = dataOf<{ pending_action: { pending_action_id: string } }>(held)
  return `/api/operator/pending-actions/${action.pending_action_id}`
}
/** Confirms an action as another person. @returns the action */
const outcomeOf = async (person: RawClient, action: string) =>
  dataOf<{ pending_action: Readonly<{ status: string; code: string | null }> }>(
    await person.post(`${action}/confirm`),
  ).pending_action
const isAnnounced = (type: string, { payout_wallet_id: id }: Wallet): boolean =>
  receiver.deliveries.some(({ event }) => event.event_type === type && JSON.stringify(event).includes(id))

test('lets a token without payouts:write add, prove or delete no destination, and withdraw nothing', async () => {
  const own = await add()
  const { client } = dataOf<{ client: { client_id: string; client_secret: string } }>(
    await platform.staff.post(`/api/operator/partners/${partner.partnerId}/clients`, {
      scopes: DEFAULT_SCOPES,
    }),
  )
  const stolen = await signIn({
    baseUrl: platform.baseUrl,
    clientId: client.client_id,
    clientSecret: client.client_secret,
  })
  const path = `${wallets()}/${own.payout_wallet_id}`
  const withdrawal = { unit: 'EUR', amount_cents: 100, payout_wallet_id: own.payout_wallet_id }
  const answers = [
    await stolen.post(wallets(), IBAN, key()),
    await stolen.post(`${path}/proof`, { signature: 'x' }, key()),
    await stolen.delete(path),
    await stolen.post(`${customer.path}/withdrawals`, withdrawal, key()),
  ]
  expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual(
    answers.map(() => [403, 'insufficient_scope']),
  )
  expect((await stolen.get(path)).status).toBe(200)
})

test('announces the destination of a thief with every scope, and pays nothing to it until two persons have confirmed it', async () => {
  const wallet = await add()
  await eventually(() => isAnnounced('payout_wallet.added', wallet))
  expect(await withdrawTo(wallet)).toEqual(waits)
  await endWaiting()
  expect(await withdrawTo(wallet)).toEqual(waits)
  const action = await ask(ada, decision(wallet, 'confirm'))
  expect((await ada.post(`${action}/confirm`)).status).toBe(409)
  expect(await withdrawTo(wallet)).toEqual(waits)
  expect((await ben.post(`${action}/decline`)).status).toBe(200)
  expect(await withdrawTo(wallet)).toEqual(waits)

  const second = await ask(ada, decision(wallet, 'confirm'))
  expect((await ben.post(`${second}/confirm`)).status).toBe(200)
  await eventually(() => isAnnounced('payout_wallet.active', wallet))
  expect(await withdrawTo(wallet)).toEqual(wouldBePaid)
})

test('confirms nothing by one stolen session of the console alone', async () => {
  const wallet = await add()
  await endWaiting()
  const { key: stolenKey } = dataOf<{ key: string }>(
    await platform.staff.post('/api/operator/staff-keys', { name: 'Cleo', role: 'finance' }),
  )
  const { cookie, formToken } = await signInByKey(platform, stolenKey)
  const page = `${platform.baseUrl}/console/payout-wallets`
  const shown = await visit(page, { cookie })
  expect(shown.text).toContain(wallet.payout_wallet_id)
  const confirm = `${page}/${wallet.payout_wallet_id}/confirm`
  const forged = await visit(confirm, { cookie, form: { form_token: 'x' } })
  expect(forged.status).toBe(403)
  await visit(confirm, { cookie, form: { form_token: formToken } })
  expect(await withdrawTo(wallet)).toEqual(waits)
})

test('applies only the first confirmed of two decisions that wait', async () => {
  const wallet = await add()
  await endWaiting()
  const confirming = await ask(ada, decision(wallet, 'confirm'))
  const refusing = await ask(ben, decision(wallet, 'refuse'), { reason: 'The customer does not know it' })
  expect((await ada.post(`${refusing}/confirm`)).status).toBe(200)
  expect(await outcomeOf(ben, confirming)).toMatchObject({ code: 'invalid_state' })
  expect(await statusOf(wallet)).toBe('refused')
  expect(await withdrawTo(wallet)).toEqual([409, 'invalid_state', { payout_wallet_status: 'refused' }])
})

test('activates nothing by a confirmation that waits while the owner deletes the destination', async () => {
  const wallet = await add()
  await endWaiting()
  const action = await ask(ada, decision(wallet, 'confirm'))
  expect((await partner.api.delete(`${wallets()}/${wallet.payout_wallet_id}`)).status).toBe(204)
  expect(await outcomeOf(ben, action)).toMatchObject({ code: 'resource_not_found' })
  expect(await withdrawTo(wallet)).toEqual([409, 'invalid_state', { payout_wallet_status: 'deleted' }])
  expect(isAnnounced('payout_wallet.active', wallet)).toBe(false)
})

test('shows staff the whole address of a destination, which differs where a look-alike’s shortened form does not', async () => {
  const own = '0x1234567890aBcDEf1234567890AbCdEf12345678'.toLowerCase()
  const lookAlike = `${own.slice(0, 10)}${'0'.repeat(28)}${own.slice(-4)}`
  const address = { kind: 'address', network: 'ETH', asset: 'USDC' }
  const added = [await add({ ...address, address: own }), await add({ ...address, address: lookAlike })]
  const listed = dataOf<{ payout_wallets: (Wallet & { masked: string })[] }>(
    await ada.get('/api/operator/payout-wallets?status=waiting&limit=100'),
  ).payout_wallets.filter(({ payout_wallet_id: id }) => added.some((each) => each.payout_wallet_id === id))
  expect(new Set(listed.map(({ masked }) => masked.toLowerCase())).size).toBe(1)
  expect(listed.map((each) => each.address?.toLowerCase())).toEqual([own, lookAlike])
})

test('pays no destination whose relationship is revoked while it waits, confirmed or not', async () => {
  const wallet = await add()
  const revoked = customer
  customer = await newCustomer(platform, partner.causeway)
  const control = await add()
  for (const each of [wallet, control])
    expect(await outcomeOf(ben, await ask(ada, decision(each, 'confirm')))).toMatchObject({ status: 'done' })
  dataOf(await platform.staff.post(`/api/operator/customers/${revoked.customerId}/revoke`))
  await endWaiting()
  await eventually(() => isAnnounced('payout_wallet.active', control))
  expect(isAnnounced('payout_wallet.active', wallet)).toBe(false)
  customer = revoked
  expect((await withdrawTo(wallet)).slice(0, 2)).toEqual([404, 'resource_not_found'])
  expect((await partner.api.get(`${wallets()}/${wallet.payout_wallet_id}`)).status).toBe(404)
})
