import { expect, test } from '@jest/globals'
import { faultOf, isPermanent, nextStep } from './rules.ts'

const now = new Date('2026-11-30T00:00:00.000Z')
const expiresAt = new Date('2026-11-30T00:15:00.000Z')
const retriedAfterMs = (attempts: number, until: Date) => {
  const step = nextStep('failed', { attempts, expiresAt: until, now })
  return step.outcome === null ? step.nextAttemptAt.getTime() - now.getTime() : step.outcome
}

test('doubles the pause after each failed attempt up to ten minutes, and ends a mail at its deadline', () => {
  expect([1, 2, 3, 7, 8].map((attempts) => retriedAfterMs(attempts, expiresAt))).toEqual([
    5_000, 10_000, 20_000, 320_000, 600_000,
  ])
  expect(retriedAfterMs(60, expiresAt)).toBe(600_000)
  expect(retriedAfterMs(1, new Date(now.getTime() + 5_000))).toBe('expired')
})

test('ends a mail that was sent or permanently refused', () => {
  const mail = { attempts: 1, expiresAt, now }
  expect(nextStep('sent', mail)).toEqual({ outcome: 'sent' })
  expect(nextStep('refused', mail)).toEqual({ outcome: 'refused' })
})

test('takes a refused recipient as permanent, and a refused sign-in at the server as passing', () => {
  const errors = [
    { code: 'EENVELOPE', responseCode: 550 },
    { code: 'EMESSAGE', responseCode: 554 },
    { code: 'EENVELOPE', responseCode: 451 },
    { code: 'EAUTH', responseCode: 535 },
    { code: 'ECONNECTION' },
  ]
  expect(errors.map((error) => isPermanent(faultOf(error)))).toEqual([true, true, false, false, false])
})

test('keeps nothing of an error but a code and a status, because its text names the recipient', () => {
  expect(faultOf(new Error('550 <ada@shop.example> is unknown'))).toEqual({ code: null, status: null })
  expect(faultOf({ code: 'ada@shop.example', responseCode: '550' })).toEqual({ code: null, status: null })
})
