import { expect, it } from '@jest/globals'
import { ONRAMP_STATUSES } from '@causeway/contracts'
import { STAGE, TREATMENT } from './statuses.ts'

it('treats every status as the table of the specification does', () => {
  expect(TREATMENT).toEqual({
    pendingPayment: 'open',
    waitingPayment: 'open',
    paymentReceived: 'open',
    extraVerification: 'open',
    inProgress: 'open',
    coinTransferred: 'open',
    cryptoTransferred: 'open',
    complete: 'success',
    completed: 'success',
    cancelled: 'failure',
    declined: 'failure',
    expired: 'failure',
    refunded: 'failure',
  })
})

it('ranks statuses in the order of the specification, with equal ranks for spellings and ends', () => {
  const stages = ONRAMP_STATUSES.map((status) => STAGE[status])
  expect(stages).toEqual(stages.toSorted((a, b) => a - b))
  expect(STAGE.coinTransferred).toBe(STAGE.cryptoTransferred)
  const ends = ONRAMP_STATUSES.filter((status) => TREATMENT[status] !== 'open')
  expect(new Set(ends.map((status) => STAGE[status])).size).toBe(1)
})
