import {
  createClock,
  createLogger,
  createStatementVerifier,
  implement,
  newId,
  refuse,
  reply,
  serve,
  verifyingKeyOf,
} from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import {
  PAYOUT_APPROVAL_PURPOSE,
  PayoutApproval,
  payoutApprovals,
  payoutTransfers,
  REFUND_APPROVAL_PURPOSE,
  type Payout,
  type TreasuryTransfer,
} from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  newStaffKey,
  openFixture,
  type Fixture,
  type Replica,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

const KEY = Buffer.alloc(32, 5)
const HOURS_MS = 3_600_000
const verifiesFor = (purpose: string) => createStatementVerifier(purpose, [verifyingKeyOf(KEY)])
const TRANSFER: TreasuryTransfer = {
  ...{ network: 'ETH', asset: 'USDC', amount: '2.5' },
  to_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
}
const ANOTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const PAYOUT_ID = newId('payout')
const AT = '2026-11-28T12:00:00.000Z'
const PAYOUT: Payout = {
  ...{ payout_id: PAYOUT_ID, customer_id: newId('merchant'), partner_customer_id: newId('relationship') },
  ...{ unit: 'ETH/USDC', amount: '2.5', status: 'upcoming', destination: null, schedule: null },
  ...{ scheduled_for: AT, created_at: AT, sent_at: null, settled_at: null, returned_at: null },
  ...{ return_reason: null, reference: null, tx_id: null },
}

let fixture: Fixture
let gateway: Replica
let staff: Awaited<ReturnType<typeof newStaffKey>>
/** The ledger's transfer of the payout. */
let transfer: TreasuryTransfer | null = TRANSFER
let isAccepted = true
const received: { statement: string; signature: string }[] = []

beforeAll(async () => {
  fixture = await openFixture()
  const options = {
    ...{ clock: createClock(), log: createLogger({ service: 'test', level: 'silent' }), checkReplies: true },
    keys: testReceiverKeys(),
  }
  serve(
    fixture.bus,
    implement(payoutTransfers, {
      send: () => Promise.resolve(isAccepted ? reply({ payout: PAYOUT }) : refuse('invalid_state')),
      get: () => Promise.resolve(transfer === null ? refuse('invalid_state') : reply({ transfer })),
    }),
    { ...options, service: 'ledger' },
  )
  serve(
    fixture.bus,
    implement(payoutApprovals, {
      create: ({ body }) => {
        received.push(body)
        return Promise.resolve(reply({ payout_id: PAYOUT_ID, expires_at: AT }))
      },
    }),
    { ...options, service: 'signer' },
  )
  await fixture.bus.connection.flush()
  gateway = await fixture.startReplica({ approvalKey: KEY })
  staff = await newStaffKey(gateway, 'finance')
})
afterAll(() => fixture.close())
beforeEach(() => {
  received.length = 0
  transfer = TRANSFER
  isAccepted = true
})

const send = (change: object = {}, replica = gateway) =>
  replica.call('POST', `/api/operator/payouts/${PAYOUT_ID}/send`, {
    token: staff.key,
    body: { expected: { unit: 'ETH/USDC', amount: '2.5', address: TRANSFER.to_address, ...change } },
  })

test('signs the payout that staff confirmed, for payouts alone', async () => {
  expect((await send()).status).toBe(200)
  const [{ statement, signature } = { statement: '', signature: '' }] = received
  expect(verifiesFor(PAYOUT_APPROVAL_PURPOSE)(statement, signature)).toBe(true)
  expect(verifiesFor(REFUND_APPROVAL_PURPOSE)(statement, signature)).toBe(false)
  const { approved_at, expires_at, ...named } = PayoutApproval.parse(JSON.parse(statement))
  expect(named).toEqual({
    ...{ payout_id: PAYOUT_ID, network: 'ETH', asset: 'USDC', to_address: TRANSFER.to_address },
    ...{ amount: '2.5', approved_by: staff.id, confirmed_by: null },
  })
  expect(Date.parse(expires_at) - Date.parse(approved_at)).toBe(72 * HOURS_MS)
})

test.each([
  ['another address', { to_address: ANOTHER }, 'address'],
  ['a larger amount', { amount: '2500' }, 'amount'],
  ['another asset', { asset: 'USDT' }, 'unit'],
] as const)('approves nothing where a compromised ledger has %s', async (_, change, field) => {
  transfer = { ...TRANSFER, ...change }
  expect(await send()).toMatchObject({
    status: 409,
    code: 'invalid_state',
    details: [{ reason: 'not_as_expected', field }],
  })
  expect(received).toEqual([])
})

test('approves nothing that the ledger refuses, or has no transfer of', async () => {
  isAccepted = false
  expect((await send()).status).toBe(409)
  isAccepted = true
  transfer = null
  expect(await send()).toMatchObject({ status: 503, code: 'temporarily_unavailable' })
  expect(received).toEqual([])
})

test('approves nothing for a role other than finance', async () => {
  const viewer = await newStaffKey(gateway, 'viewer')
  const body = { expected: { unit: 'ETH/USDC', amount: '2.5', address: TRANSFER.to_address } }
  const path = `/api/operator/payouts/${PAYOUT_ID}/send`
  expect((await gateway.call('POST', path, { token: viewer.key, body })).status).toBe(403)
  expect(received).toEqual([])
})
