import { createStatementVerifier, refuse, reply, verifyingKeyOf } from '@causeway/chassis'
import { REFUND_APPROVAL_PURPOSE, RefundApproval, type CryptoRefund } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { z } from 'zod'
import { plannedRefund } from '../../../gateway/tests/fixtures/script.ts'
import {
  newStaffKey,
  openFixture,
  type Fixture,
  type Replica,
} from '../../../gateway/tests/fixtures/running-gateway.ts'

const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const KEY = Buffer.alloc(32, 5)
const HOURS_MS = 3_600_000
const verifies = createStatementVerifier(REFUND_APPROVAL_PURPOSE, [verifyingKeyOf(KEY)])
const Received = z.object({
  service: z.literal('signer'),
  statement: z.string(),
  signature: z.string(),
})
const AT = '2026-01-02T03:04:05.678Z'

const { order, refund } = plannedRefund(TO).value
const planned = (change: Partial<CryptoRefund> = {}) => plannedRefund(TO, { ...refund, ...change })

let fixture: Fixture
let gateway: Replica
let staff: Awaited<ReturnType<typeof newStaffKey>>
/** The approvals that the signer received. */
const approved = () =>
  fixture.script.refundCalls.flatMap((call) => {
    const known = Received.safeParse(call)
    return known.success ? [known.data] : []
  })
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica({ approvalKey: KEY })
  staff = await newStaffKey(gateway, 'finance')
})
afterAll(() => fixture.close())
beforeEach(() => {
  fixture.script.refundCalls.length = 0
  fixture.script.isSignerAway = false
})

const ask = (body: object = {}, replica = gateway) =>
  replica.call('POST', `/api/operator/orders/${order.id}/refund`, {
    token: staff.key,
    body: { to_address: TO, ...body },
  })

test('signs the refund that payments planned, with its approver and an expiry', async () => {
  fixture.script.refund = planned()
  const expected = { amount: refund.amount, from_address: refund.from_address }
  expect((await ask({ expected })).status).toBe(200)
  const [approval] = approved()
  expect(verifies(approval?.statement ?? '', approval?.signature ?? '')).toBe(true)
  const { approved_at, expires_at, ...statement } = RefundApproval.parse(
    JSON.parse(approval?.statement ?? ''),
  )
  const { network_fee: _fee, tx_id: _tx, status: _status, failure: _failure, ...named } = refund
  expect(statement).toEqual({ ...named, approved_by: staff.id, confirmed_by: null })
  expect(Date.parse(expires_at) - Date.parse(approved_at)).toBe(72 * HOURS_MS)
})

test('approves nothing if payments refuses the refund', async () => {
  fixture.script.refund = refuse('invalid_state', [{ from: 'refunded', to: 'refunded' }])
  expect((await ask()).status).toBe(409)
  expect(approved()).toEqual([])
})

test.each([
  ['another destination', { to_address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }, 'to_address'],
  ['a larger amount', { amount: '0.5' }, 'amount'],
  ["another order's address", { from_address: 'bc1qother' }, 'from_address'],
])('approves nothing where a compromised payments process plans %s', async (_, change, field) => {
  fixture.script.refund = planned(change)
  const answer = await ask({ expected: { amount: refund.amount, from_address: refund.from_address } })
  expect(answer).toMatchObject({
    status: 409,
    code: 'invalid_state',
    details: [{ reason: 'not_as_expected', field }],
  })
  expect(approved()).toEqual([])
})

test.each(['signed', 'broadcast', 'confirmed', 'failed'] as const)(
  'does not approve a refund again that is %s',
  async (status) => {
    fixture.script.refund = planned({ status })
    expect((await ask()).status).toBe(200)
    expect(approved()).toEqual([])
  },
)

test('does not approve a refund that staff sent by hand', async () => {
  fixture.script.refund = reply({ order, to_address: TO, refunded_at: AT, tx_id: 'mine' })
  expect((await ask({ sent_by_hand: true })).status).toBe(200)
  expect(approved()).toEqual([])
})

test('answers 503 while the signer is unavailable, and approves when the request is repeated', async () => {
  fixture.script.refund = planned()
  fixture.script.isSignerAway = true
  expect((await ask()).code).toBe('temporarily_unavailable')
  fixture.script.isSignerAway = false
  fixture.script.refundCalls.length = 0
  expect((await ask()).status).toBe(200)
  expect(approved()).toHaveLength(1)
})
