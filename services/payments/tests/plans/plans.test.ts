import { judgePlans, type PlanAllowances } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import { SHAPES } from './shapes.ts'

const ALLOWANCES: PlanAllowances = {
  'card-notices.forget-taken': {
    may: ['costs', 'collects'],
    because: 'it purges what has expired since the round before',
  },
  'chain-positions.list-former': {
    may: ['costs', 'collects'],
    because: 'it counts open orders once at a start, of networks that take none any more',
  },
  'chargebacks.list-by-order': { may: ['sorts'], because: 'an order has few disputes' },
  'crypto-orders.list-with-moves': {
    may: ['costs', 'collects', 'sorts'],
    because: 'it reads 200 orders with what belongs to them, once, in the background',
  },
  'dispute-standings.judge-all': {
    may: ['costs', 'reads all'],
    because: 'it runs once at a start: the settings may have changed',
  },
  'dispute-standings.tally': {
    may: ['collects'],
    because: 'it counts the orders of a window, when a merchant is judged',
  },
  'fiat-orders.list-paid': { may: ['costs'], because: 'as `crypto-orders.list-with-moves`' },
  'fiat-orders.take-silent': {
    may: ['sorts'],
    because: 'few are due while the table is young, and its next ANALYZE ends the plan',
  },
  'order-numbers.list': { may: ['reads all'], because: 'it reads a sequence, which is one row' },
  'payers.read-chargebacks': { may: ['sorts'], because: 'an address has few disputes' },
  'payers.read-cases': { may: ['sorts'], because: 'a payer has few cases' },
  'payers.erase-cases': { may: ['costs'], because: 'it reads the cases of the customers of one payer' },
  'chain-holdings.page': {
    may: ['costs'],
    because: 'it looks at the deposits, refunds and money of the 200 orders of a page, in the background',
  },
  'order-deposits.list': {
    may: ['reads all'],
    because: 'few deposits are taken back while the table is young, and its next ANALYZE ends the plan',
  },
  'orders.list-newest-crypto-of-customers': {
    may: ['costs'],
    because: 'it reads a page of each relationship of one merchant; the planner expects more than there are',
  },
  'orders.list-newest-card-of-customers': { may: ['costs'], because: 'as with crypto orders' },
  'orders.list-card-of-partner-by-search': { may: ['sorts'], because: 'a key is of one order' },
  'orders.list-card-of-merchant-by-search': { may: ['sorts'], because: 'a key is of one order' },
  'paid-addresses.page': {
    may: ['costs'],
    because: 'it looks at the deposits, refunds and money of the 500 orders of a page, in the background',
  },
  'refunded-money.lock-open': { may: ['sorts'], because: 'little of an order counts for nothing' },
  'payers.is-blocking': { may: ['costs'], because: 'it reads the cases of the customers of one payer' },
}

test('reads at most a page in every statement of payments, at 10,000,000 orders of each kind', async () => {
  const judged = await judgePlans({
    service: new URL('../../', import.meta.url),
    shapes: SHAPES,
    allowances: ALLOWANCES,
  })
  expect(judged).toEqual({ faults: [], unneeded: [] })
})
