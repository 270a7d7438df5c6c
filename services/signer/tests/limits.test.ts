import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { judgeLimits, parseAmounts, type Payment } from '../src/limits/limits.ts'
import { signerRecord } from '../src/record/store.ts'
import { createFakeChain } from './fake-chain.ts'
import { limitOf, newRefund, startForTests, type RefundBody, type RunningSigner } from './running-signer.ts'

const ONE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const DAY_MS = 86_400_000
const chain = createFakeChain()
let signer: RunningSigner
beforeAll(async () => {
  signer = await startForTests(new Map([['ETH', chain.transfers]]), {
    limits: { perTransfer: limitOf('2'), perDay: limitOf('5'), perAddressAndDay: limitOf('3') },
  })
  chain.setProgress({ state: 'mined', confirmations: 3, networkFee: '0.001' })
  // The tests spend on one day.
  signer.clock.advance(DAY_MS - (signer.clock.nowMs() % DAY_MS))
})
afterAll(() => signer.stop())

const newFunded = (change: Partial<RefundBody> = {}) => {
  const body = newRefund({ amount: '1', to_address: ONE, ...change })
  chain.setBalance(body.key_index, body.amount)
  return body
}
const sentOf = (bodies: readonly RefundBody[]) =>
  chain.sent.filter(({ sources }) => bodies.some(({ key_index }) => key_index === sources[0]?.index))
const endOfDay = () => new Date(Math.ceil(signer.clock.nowMs() / DAY_MS) * DAY_MS).toISOString()

test('refuses a refund above the limit of one transfer and names that limit', async () => {
  const body = newFunded({ amount: '2.000000000000000001' })
  const refusal = {
    ok: false,
    code: 'limit_reached',
    details: [
      {
        resource: 'crypto_refunds',
        applies_to: 'transfer',
        limit: '2',
        remaining: '2',
        asset: 'ETH',
        resets_at: null,
      },
    ],
  }
  expect(await signer.estimate(body)).toEqual(refusal)
  expect(await signer.request(body)).toEqual(refusal)
  const [record] = (await signerRecord.list(signer.db, { afterSequence: 0, limit: 100 })).filter(
    ({ kind }) => kind === 'refused',
  )
  expect(JSON.parse(record?.record ?? '{}')).toMatchObject({
    subject: body.refund_id,
    code: 'limit_reached',
    details: refusal.details,
  })
})

test('signs exactly what the daily limits allow when refunds race, and resumes on the next UTC day', async () => {
  // Requested concurrently, while no amount is counted yet: 3 to one address, 5 in total.
  chain.setUnavailable(true)
  const toOne = Array.from({ length: 5 }, () => newFunded())
  // The same address in other letters counts as the same.
  const [first, ...others] = toOne.map((body, at) =>
    at === 0 ? { ...body, to_address: ONE.toLowerCase() } : body,
  )
  if (first === undefined) throw new Error('There is no request')
  const toOther = Array.from({ length: 4 }, () => newFunded({ to_address: OTHER }))
  const all = [first, ...others, ...toOther]
  for (const answer of await Promise.all(all.map((body) => signer.request(body))))
    expect(answer).toMatchObject({ ok: true, value: { refund: { status: 'requested' } } })
  chain.setUnavailable(false)
  await eventually(async () => {
    const answers = await Promise.all(all.map((body) => signer.refund(body)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(5)
    for (const answer of answers) if (!answer.ok) expect(answer).toMatchObject({ code: 'limit_reached' })
    return true
  })
  await eventually(() => sentOf(all).length === 5)
  expect(sentOf([first, ...others]).length).toBeLessThanOrEqual(3)
  const reached = newFunded()
  expect(await signer.estimate(reached)).toMatchObject({
    code: 'limit_reached',
    details: [{ applies_to: 'day', limit: '5', remaining: '0', asset: 'ETH', resets_at: endOfDay() }],
  })
  expect(await signer.estimate(newFunded({ asset: 'USDC' }))).toMatchObject({ ok: true })
  signer.clock.advance(DAY_MS)
  const next = { ...reached, refund_id: newId('refund') }
  expect(await signer.request(next)).toMatchObject({ ok: true })
  await signer.becomes(next, 'confirmed')
})

test('estimates the fee and the arriving amount of a refund and signs nothing', async () => {
  const body = newFunded({ to_address: OTHER })
  const before = chain.signed.length
  expect(await signer.estimate(body)).toEqual({
    ok: true,
    value: { amount: '0.999', network_fee: '0.001', fee_asset: 'ETH', waits_for: null },
  })
  expect(await signer.estimate({ ...body, address: 'address-of-another-wallet' })).toMatchObject({
    code: 'invalid_request',
  })
  expect(chain.signed).toHaveLength(before)
})

test('names the limit of an address before it is exceeded', () => {
  const payment: Payment = { network: 'ETH', asset: 'ETH', toAddress: ONE.toLowerCase(), amount: '0.5' }
  const limits = { perTransfer: limitOf('2'), perDay: limitOf('5'), perAddressAndDay: limitOf('3') }
  const now = new Date('2026-01-31T23:59:59.999Z')
  const spent = (amount: string) => [
    { toAddress: '', amount },
    { toAddress: ONE, amount },
  ]
  expect(judgeLimits(payment, spent('2.5'), limits, now)).toBeNull()
  expect(judgeLimits(payment, spent('2.6'), limits, now)).toMatchObject({
    details: [{ applies_to: 'address_and_day', remaining: '0.4', resets_at: '2026-02-01T00:00:00.000Z' }],
  })
})

test('reads limits by asset and keeps the defaults of those that are not named', () => {
  expect(parseAmounts('BTC:0.25', { BTC: '1', ETH: '4' })).toEqual({ BTC: '0.25', ETH: '4' })
  for (const text of ['BTC', 'BTC:', 'BTC:-1', 'BTC:1e3', 'DOGE:1', 'BTC:0.000000001', 'BTC:1:2'])
    expect(() => parseAmounts(text, {})).toThrow('must be a list such as BTC:0.1,USDC:10000')
})
