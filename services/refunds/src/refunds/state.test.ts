import { describe, expect, it } from '@jest/globals'
import { isOpen, retryDelayMs, nextStepOf, REFUND_STATES, shownStatusOf, statesBefore } from './state.ts'

describe('the states of a refund', () => {
  it('allow only their transitions', () => {
    const transitions = REFUND_STATES.flatMap((to) => statesBefore(to).map((from) => `${from} > ${to}`))
    expect(transitions.sort()).toEqual([
      'failed > reconciled',
      'requested > sent',
      'sent > failed',
      'sent > succeeded',
      'sent > unknown',
      'succeeded > reconciled',
      'unknown > failed',
      'unknown > succeeded',
      'unknown > unknown',
    ])
  })

  it("occupy the order's slot exactly while work remains", () => {
    expect(REFUND_STATES.filter(isOpen)).toEqual(['requested', 'sent', 'unknown', 'succeeded'])
    for (const state of REFUND_STATES) expect(nextStepOf(state) === 'none').toBe(!isOpen(state))
  })

  it('never return to validation once the refund may have been sent', () => {
    expect(REFUND_STATES.filter((state) => nextStepOf(state) === 'validate')).toEqual(['requested'])
    expect(REFUND_STATES.filter((state) => nextStepOf(state) === 'resolve')).toEqual(['sent', 'unknown'])
  })

  it('are shown as pending until the processor has answered', () => {
    expect(REFUND_STATES.map(shownStatusOf)).toEqual([
      'pending',
      'pending',
      'pending',
      'succeeded',
      'failed',
      'succeeded',
    ])
  })

  it('are retried with exponential backoff, at least every 30 seconds', () => {
    expect([0, 1, 5, 6, 1_000].map(retryDelayMs)).toEqual([500, 1_000, 16_000, 30_000, 30_000])
  })
})
