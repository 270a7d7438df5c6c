import { describe, expect, it } from '@jest/globals'
import { isOpen, nextLookMs, nextStepOf, REFUND_STATES, shownStatusOf, statesBefore } from './state.ts'

describe('the machine of a refund', () => {
  it('moves only along its arrows', () => {
    const arrows = REFUND_STATES.flatMap((to) => statesBefore(to).map((from) => `${from} > ${to}`))
    expect(arrows.sort()).toEqual([
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

  it('holds the order’s place exactly while something is left to be done', () => {
    expect(REFUND_STATES.filter(isOpen)).toEqual(['requested', 'sent', 'unknown', 'succeeded'])
    for (const state of REFUND_STATES) expect(nextStepOf(state) === 'none').toBe(!isOpen(state))
  })

  it('never judges again what may have been sent', () => {
    expect(REFUND_STATES.filter((state) => nextStepOf(state) === 'validate')).toEqual(['requested'])
    expect(REFUND_STATES.filter((state) => nextStepOf(state) === 'find_out')).toEqual(['sent', 'unknown'])
  })

  it('shows pending until the processor has told', () => {
    expect(REFUND_STATES.map(shownStatusOf)).toEqual([
      'pending',
      'pending',
      'pending',
      'succeeded',
      'failed',
      'succeeded',
    ])
  })

  it('looks ever less often, and at least every half minute', () => {
    expect([0, 1, 5, 6, 1_000].map(nextLookMs)).toEqual([500, 1_000, 16_000, 30_000, 30_000])
  })
})
