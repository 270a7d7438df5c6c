import { expect, test } from '@jest/globals'
import { deposited, RELATIONSHIPS, sentBack, swept } from '../../tests/fixtures/facts.ts'
import { linesOf } from '../../tests/fixtures/lines.ts'
import { readLedgerFact } from '@causeway/contracts'
import { postingsOf } from './rules.ts'

const [MERCHANT] = RELATIONSHIPS

test.each([
  [
    'a deposit that completes its order and exceeds it',
    { open: '0', applied: '0.3', excess: '0.2' },
    [
      `chain:BTC:deposits -> ${MERCHANT}:available (deposit) 30000000 BTC/BTC`,
      'chain:BTC:deposits -> payers:excess 20000000 BTC/BTC',
    ],
  ],
  [
    'a deposit that was open and is applied',
    { open: '-0.5', applied: '0.5' },
    [
      'payers:open -> chain:BTC:deposits 50000000 BTC/BTC',
      `chain:BTC:deposits -> ${MERCHANT}:available (deposit) 50000000 BTC/BTC`,
    ],
  ],
  [
    'a reorganisation that takes an applied deposit back',
    { open: '0', applied: '-0.5' },
    [`${MERCHANT}:available (deposit_reverted) -> chain:BTC:deposits 50000000 BTC/BTC`],
  ],
  [
    'a deposit of another asset after the end of its order',
    { open: '0', late: '0.00000001', foreign: '0.1' },
    ['chain:BTC:deposits -> payers:late 1 BTC/BTC', 'chain:BTC:deposits -> payers:foreign 10000000 BTC/BTC'],
  ],
  [
    'a deposit that is applied, with its service fee',
    { open: '-0.5', applied: '0.5', service_fee: '0.005' },
    [
      'payers:open -> chain:BTC:deposits 50000000 BTC/BTC',
      `chain:BTC:deposits -> ${MERCHANT}:available (deposit) 50000000 BTC/BTC`,
      `${MERCHANT}:available (service_fee) -> income:service_fee 500000 BTC/BTC`,
    ],
  ],
  [
    'a reorganisation that takes an applied deposit back, with its service fee',
    { open: '0', applied: '-0.5', service_fee: '-0.005' },
    [
      `${MERCHANT}:available (deposit_reverted) -> chain:BTC:deposits 50000000 BTC/BTC`,
      `income:service_fee -> ${MERCHANT}:available (fee_returned) 500000 BTC/BTC`,
    ],
  ],
  [
    'a service fee that moves alone',
    { open: '0', service_fee: '0.00000001' },
    [`${MERCHANT}:available (service_fee) -> income:service_fee 1 BTC/BTC`],
  ],
  [
    'a deposit that is applied and converted, after its service fee',
    {
      ...{ open: '0', applied: '0.5', service_fee: '0.005' },
      ...{ settled_amount: '0.495', settled_cents: 2_970_000, settled_currency: 'EUR' },
    },
    [
      `chain:BTC:deposits -> ${MERCHANT}:available (deposit) 50000000 BTC/BTC`,
      `${MERCHANT}:available (service_fee) -> income:service_fee 500000 BTC/BTC`,
      `${MERCHANT}:available (conversion) -> fx:BTC/BTC 49500000 BTC/BTC`,
      `fx:EUR -> ${MERCHANT}:available (conversion) 2970000 EUR`,
    ],
  ],
  [
    'a reorganisation that takes a converted deposit back',
    {
      ...{ open: '0', applied: '-0.5', settled_amount: '-0.5' },
      ...{ settled_cents: -3_000_000, settled_currency: 'EUR' },
    },
    [
      `${MERCHANT}:available (deposit_reverted) -> chain:BTC:deposits 50000000 BTC/BTC`,
      `fx:BTC/BTC -> ${MERCHANT}:available (conversion) 50000000 BTC/BTC`,
      `${MERCHANT}:available (conversion) -> fx:EUR 3000000 EUR`,
    ],
  ],
  [
    'a conversion of dust, which is worth nothing',
    {
      open: '0',
      applied: '0.00000001',
      settled_amount: '0.00000001',
      settled_cents: 0,
      settled_currency: 'EUR',
    },
    [
      `chain:BTC:deposits -> ${MERCHANT}:available (deposit) 1 BTC/BTC`,
      `${MERCHANT}:available (conversion) -> fx:BTC/BTC 1 BTC/BTC`,
    ],
  ],
  [
    'a cent that moves from one deposit of an order to another',
    { open: '0', settled_amount: '0', settled_cents: -1, settled_currency: 'EUR' },
    [`${MERCHANT}:available (conversion) -> fx:EUR 1 EUR`],
  ],
])('records %s', (_, change, lines) => {
  expect(postingsOf(deposited(change)).map(linesOf)).toEqual([lines])
})

test('refuses a conversion without its currency', () => {
  const fact = deposited({ settled_amount: '0.5', settled_cents: 3_000_000 })
  expect(() => readLedgerFact(fact)).toThrow(
    'settled_currency: A conversion has an amount, cents and a currency',
  )
})

test('refuses a deposit with more decimals than its asset has', () => {
  expect(() => postingsOf(deposited({ open: '0.000000001' }))).toThrow('more than 8 decimals')
})

test('records a refund of late money whose fee the platform pays in another asset', () => {
  expect(postingsOf(sentBack()).map(linesOf)).toEqual([
    [
      'payers:late -> chain:ETH:deposits 12500000 ETH/USDC',
      'cost:network_fee -> chain:ETH:gas 1000000000000000 ETH/ETH',
    ],
  ])
})

test('records a refund of applied money, whose fee the merchant bears', () => {
  const fee = { asset: 'BTC', amount: '0.00002', paid_from: 'deposits', borne_by: 'bucket' } as const
  const fact = sentBack({ network: 'BTC', asset: 'BTC', amount: '0.4', bucket: 'applied', network_fee: fee })
  expect(postingsOf(fact).map(linesOf)).toEqual([
    [
      `${MERCHANT}:available (refund) -> chain:BTC:deposits 40000000 BTC/BTC`,
      `${MERCHANT}:available (network_fee) -> chain:BTC:deposits 2000 BTC/BTC`,
    ],
  ])
})

const sumsAfter = (facts: Parameters<typeof postingsOf>[0][]): Record<string, bigint> => {
  const sums: Record<string, bigint> = {}
  for (const { debit, credit, amount } of facts.flatMap(postingsOf).flatMap(({ transfers }) => transfers)) {
    sums[debit.name] = (sums[debit.name] ?? 0n) - amount
    sums[credit.name] = (sums[credit.name] ?? 0n) + amount
  }
  return sums
}
const broadcast = swept({ fact_id: 'broadcast-1', step: 'broadcast', arrives: '0' })

test('puts a sweep in flight when it is broadcast', () => {
  expect(sumsAfter([broadcast])).toEqual({
    'chain:BTC:in_flight': -100_000_000n,
    'chain:BTC:deposits': 100_000_000n,
  })
})

test('leaves what a confirmed sweep did not need at the deposit address, and nothing in flight', () => {
  const confirmed = swept({
    arrives: '0.9',
    network_fee: { asset: 'BTC', amount: '0.04', paid_from: 'deposits' },
  })
  expect(sumsAfter([broadcast, confirmed])).toEqual({
    'chain:BTC:in_flight': 0n,
    'chain:BTC:deposits': 94_000_000n,
    'chain:BTC:treasury': -90_000_000n,
    'cost:network_fee': -4_000_000n,
  })
})

test('returns a failed sweep to the deposits, and keeps the fee that the gas account paid', () => {
  const eth = {
    network: 'ETH',
    asset: 'USDC',
    leaves: '8',
    arrives: '0',
    network_fee: { asset: 'ETH', amount: '0.01', paid_from: 'gas' },
  } as const
  expect(sumsAfter([swept({ ...eth, step: 'broadcast' }), swept({ ...eth, step: 'failed' })])).toEqual({
    'chain:ETH:in_flight': 0n,
    'chain:ETH:deposits': 0n,
    'cost:network_fee': -10_000_000_000_000_000n,
    'chain:ETH:gas': 10_000_000_000_000_000n,
  })
})
