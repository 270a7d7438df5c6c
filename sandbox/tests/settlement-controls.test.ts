import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createClock } from '@causeway/chassis'
import { readBankStatement } from '@causeway/rails/bank'
import { readSettlementCsv, type SettlementLine } from '@causeway/rails/settlements'
import { request } from 'undici'
import { type CardFixture, startCardFixture } from './card-fixture.ts'
import { startSandbox } from '../src/testing/index.ts'
import type { Sandbox } from '../src/sandbox.ts'

let fixture: CardFixture
let folder: string
const clock = createClock()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-settlement-'))
  fixture = await startCardFixture({ dataFolder: folder }, clock)
})
afterEach(async () => {
  await fixture.stop()
  await rm(folder, { recursive: true })
})

const textAt = async (sandbox: Sandbox, path: string) =>
  (await request(`${sandbox.url()}/control/${path}`)).body.text()
const report = async (
  sandbox = fixture.sandbox,
  processor = 'processor',
): Promise<readonly SettlementLine[]> =>
  readSettlementCsv(await textAt(sandbox, `card/settlement-report?processor=${processor}`)).lines
const bankLines = async (format: 'camt053' | 'csv') =>
  readBankStatement(await textAt(fixture.sandbox, `bank/statement?format=${format}`), format).lines

const pay = async (cents = 10_000, currency = 'EUR') => {
  const order = await fixture.checkout({ totalCents: cents, refundableCents: cents, currency })
  await fixture.post(`card-payments/${order.orderKey}`, { outcome: 'completed' })
  return order
}
const settle = (body: unknown = {}) => fixture.post('card/settle', body)
type Settled = Readonly<{
  lines: number
  payouts: { payout_ref: string; currency: string; amount_cents: number; bank_line_id: string | null }[]
}>
const settled = async (body: unknown = {}): Promise<Settled> => {
  const answer = await settle(body)
  expect(answer.status).toBe(201)
  return answer.body as Settled
}
const sumOf = (lines: readonly SettlementLine[]) => lines.reduce((sum, { netCents }) => sum + netCents, 0)
const paymentsOf = (lines: readonly SettlementLine[]) => lines.filter(({ kind }) => kind === 'payment')

test('pays out what happened since the last settlement, less the fees, to the bank account', async () => {
  const order = await pay()
  await fixture.post(`card-refunds/${order.orderKey}`, { amount_cents: 4_000 })
  const first = await settled()
  expect(first).toEqual({
    processor: 'processor',
    lines: 3,
    payouts: [
      {
        payout_ref: expect.stringMatching(/^sbo_/),
        currency: 'EUR',
        amount_cents: 10_000 - 165 - 4_000,
        bank_line_id: expect.stringMatching(/^sbl_/),
      },
    ],
  })
  const [payout] = first.payouts
  for (const format of ['camt053', 'csv'] as const)
    expect(await bankLines(format)).toMatchObject([
      {
        lineId: payout?.bank_line_id,
        amountMinor: 5_835n,
        currency: 'EUR',
        reference: payout?.payout_ref,
        counterparty: 'Sandbox Processor',
      },
    ])
  expect(await settled()).toEqual({ processor: 'processor', lines: 0, payouts: [] })
})

test('settles a dispute with its fee, and takes a negative payout from the account', async () => {
  const [euros, dollars] = [await pay(500), await pay(800, 'USD')]
  await settled()
  await fixture.post(`chargebacks/${euros.orderKey}`, {})
  await fixture.post(`chargebacks/${dollars.orderKey}`, {})
  const { payouts } = await settled()
  expect(payouts.map(({ currency, amount_cents: cents }) => [currency, cents])).toEqual([
    ['EUR', -500 - 1_500 - 1_500],
    ['USD', -800],
  ])
  const disputed = (await report()).slice(4).filter(({ kind }) => kind !== 'payout')
  expect(
    disputed.map((line) => [line.kind, line.processorOrderId, line.grossCents, line.feeCents, line.currency]),
  ).toEqual([
    ['dispute', euros.processorOrderId, -500, 1_500, 'EUR'],
    ['fee', dollars.processorOrderId, 0, 1_500, 'EUR'],
    ['dispute', dollars.processorOrderId, -800, 0, 'USD'],
  ])
  const camt = await bankLines('camt053')
  const lines = await bankLines('csv')
  const byId = (all: typeof lines) => all.toSorted((a, b) => (a.lineId < b.lineId ? -1 : 1))
  expect(byId(camt)).toEqual(byId(lines))
  expect(lines.map(({ amountMinor, currency }) => [currency, amountMinor])).toEqual([
    ['EUR', 468n],
    ['USD', 764n],
    ['EUR', -3_500n],
    ['USD', -800n],
  ])
  expect(await textAt(fixture.sandbox, 'bank/statement')).toContain('<Ccy>USD</Ccy>')
})

test('settles a refund when it is made and again, with the other sign, when it has failed', async () => {
  const order = await pay()
  const { body } = await fixture.post(`card-refunds/${order.orderKey}`, { amount_cents: 900 })
  await settled()
  await fixture.post(`card-refunds/${order.orderKey}/failure`, { refund_id: body['refund_id'] })
  expect((await settled()).payouts).toMatchObject([{ amount_cents: 900 }])
  const refunds = (await report()).filter(({ kind }) => kind === 'refund')
  expect(refunds.map(({ grossCents, netCents }) => [grossCents, netCents])).toEqual([
    [-900, -900],
    [900, 900],
  ])
})

test('states what a dispute took where the processor stated no amount', async () => {
  const order = await fixture.checkout({ totalCents: 10_000, refundableCents: 10_000 }, fixture.full)
  await fixture.post(`card-payments/${order.orderKey}`, { outcome: 'completed' })
  await fixture.post(`card-refunds/${order.orderKey}`, { amount_cents: 2_500 })
  await fixture.post(`chargebacks/${order.orderKey}`, {})
  await settled({ processor: 'processor_full' })
  expect(await report()).toEqual([])
  const lines = await report(fixture.sandbox, 'processor_full')
  expect(lines.find(({ kind }) => kind === 'dispute')).toMatchObject({ grossCents: -7_500, feeCents: 1_500 })
})

test('leaves a line out for the fault missing, and never settles it later', async () => {
  const [first, second] = [await pay(1_000), await pay(2_000)]
  const { payouts } = await settled({ faults: [{ kind: 'missing', order_key: first.orderKey }] })
  expect(paymentsOf(await report()).map((line) => line.processorOrderId)).toEqual([second.processorOrderId])
  expect(payouts).toMatchObject([{ amount_cents: 2_000 - 53 }])
  expect(await settled()).toMatchObject({ lines: 0 })
})

test('states a line twice, with two ids, for the fault doubled', async () => {
  const { processorOrderId } = await pay(1_000)
  const { payouts } = await settled({ faults: [{ kind: 'doubled' }] })
  const lines = paymentsOf(await report())
  expect(lines.map((line) => line.processorOrderId)).toEqual([processorOrderId, processorOrderId])
  expect(new Set(lines.map(({ lineId }) => lineId)).size).toBe(2)
  expect(payouts).toMatchObject([{ amount_cents: 2 * (1_000 - 39) }])
})

test('states a payment that was never made for the fault unknown_order', async () => {
  const { processorOrderId } = await pay(1_000)
  await settled({ faults: [{ kind: 'unknown_order' }] })
  const [known, unknown] = paymentsOf(await report())
  expect(known?.processorOrderId).toBe(processorOrderId)
  expect(unknown).toMatchObject({ grossCents: 1_000, processorOrderId: expect.stringMatching(/^sbp_/) })
  expect(unknown?.processorOrderId).not.toBe(processorOrderId)
})

test.each([
  ['amount', { grossCents: 1_001, feeCents: 39, netCents: 962, currency: 'EUR' }],
  ['currency', { grossCents: 1_000, feeCents: 39, netCents: 961, currency: 'USD' }],
  ['fee', { grossCents: 1_000, feeCents: 40, netCents: 960, currency: 'EUR' }],
])(
  'states a wrong value for the fault %s, of the named order alone, and pays that out',
  async (kind, stated) => {
    const [right, wrong] = [await pay(1_000), await pay(1_000)]
    const { payouts } = await settled({ faults: [{ kind, order_key: wrong.orderKey }] })
    const lines = await report()
    expect(paymentsOf(lines).find((line) => line.processorOrderId === wrong.processorOrderId)).toMatchObject(
      stated,
    )
    expect(paymentsOf(lines).find((line) => line.processorOrderId === right.processorOrderId)).toMatchObject({
      grossCents: 1_000,
      feeCents: 39,
      netCents: 961,
      currency: 'EUR',
    })
    for (const { payout_ref: ref } of payouts)
      expect(sumOf(lines.filter((line) => line.payoutRef === ref))).toBe(0)
  },
)

test('pays out one minor unit less than the sum of its lines for the fault sum', async () => {
  await pay(1_000)
  expect((await settled({ faults: [{ kind: 'sum' }] })).payouts).toMatchObject([{ amount_cents: 960 }])
  const lines = await report()
  expect(sumOf(lines)).toBe(1)
  expect(paymentsOf(lines)).toMatchObject([{ netCents: 961 }])
  expect(await bankLines('csv')).toMatchObject([{ amountMinor: 960n }])
})

const IN_EUROS = { settle_in: { currency: 'EUR', rates: { USD: '0.885', JPY: '0.0062' } } }

test('settles in one currency, with what each line was before, and keeps that over a restart', async () => {
  const [dollars, yen] = [await pay(1_001, 'USD'), await pay(5_000, 'JPY')]
  await pay(2_000)
  await pay(3_000, 'GBP')
  await fixture.post(`card-refunds/${yen.orderKey}`, { amount_cents: 100 })
  await fixture.post(`chargebacks/${dollars.orderKey}`, {})
  const { payouts } = await settled(IN_EUROS)
  const lines = await report()
  const usd = (cents: number) => ({ cents, currency: 'USD', rate: '0.885' })
  const jpy = (cents: number) => ({ cents, currency: 'JPY', rate: '0.0062' })
  expect(
    lines
      .filter(({ kind }) => kind !== 'payout')
      .map((line) => [line.kind, line.grossCents, line.feeCents, line.currency, line.original]),
  ).toEqual([
    ['payment', 886, 37, 'EUR', usd(1_001)],
    ['payment', 3_100, 68, 'EUR', jpy(5_000)],
    ['payment', 2_000, 53, 'EUR', null],
    ['refund', -62, 0, 'EUR', jpy(-100)],
    ['dispute', -886, 1_500, 'EUR', usd(-1_001)],
    ['payment', 3_000, 67, 'GBP', null],
  ])
  expect(payouts.map(({ currency, amount_cents: cents }) => [currency, cents])).toEqual([
    ['EUR', 849 + 3_032 + 1_947 - 62 - 2_386],
    ['GBP', 2_933],
  ])
  await fixture.sandbox.stop()
  const again = await startSandbox({ dataFolder: folder }, clock)
  try {
    expect(await report(again)).toEqual(lines)
  } finally {
    await again.stop()
  }
})

test.each([
  ['amount', { cents: 1_001, currency: 'USD', rate: '0.885' }],
  ['currency', { cents: 1_000, currency: 'GBP', rate: '0.885' }],
])('states a wrong original value of a converted line for the fault %s', async (kind, original) => {
  await pay(1_000, 'USD')
  await settled({ ...IN_EUROS, faults: [{ kind }] })
  expect(paymentsOf(await report())).toMatchObject([{ grossCents: 885, currency: 'EUR', original }])
})

test('keeps reports and what was settled over a restart', async () => {
  await pay(1_000)
  await settled()
  const before = await report()
  await fixture.sandbox.stop()
  const again = await startSandbox({ dataFolder: folder }, clock)
  try {
    expect(await report(again)).toEqual(before)
    const url = `${again.url()}/control/card/settle`
    expect(await (await request(url, { method: 'POST' })).body.json()).toMatchObject({
      lines: 0,
      payouts: [],
    })
  } finally {
    await again.stop()
  }
})

test('changes nothing for a fault that has no line, and says which', async () => {
  await pay(1_000)
  const answer = await settle({ faults: [{ kind: 'amount' }, { kind: 'missing', order_key: '9' }] })
  expect(answer).toMatchObject({
    status: 409,
    body: { error: { code: 'no_line', message: 'The period has no line of order 9 for the fault missing.' } },
  })
  expect(await report()).toEqual([])
  expect(await settled()).toMatchObject({ lines: 2, payouts: [{ amount_cents: 961 }] })
})

test.each([
  [{ processor: 'other' }, 404, 'resource_not_found'],
  [{ faults: [{ kind: 'late' }] }, 400, 'invalid_request'],
  [{ faults: Array.from({ length: 101 }, () => ({ kind: 'sum' })) }, 400, 'invalid_request'],
  [{ fault: [] }, 400, 'invalid_request'],
  [{ settle_in: { currency: 'eur', rates: {} } }, 400, 'invalid_request'],
  [{ settle_in: { currency: 'EUR', rates: { USD: 0.88 } } }, 400, 'invalid_request'],
])('refuses a settlement of %j with %d', async (body, status, code) => {
  expect(await settle(body)).toMatchObject({ status, body: { error: { code } } })
})
