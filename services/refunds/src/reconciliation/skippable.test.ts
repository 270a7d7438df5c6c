import { describe, expect, it } from '@jest/globals'
import { RailError } from '@causeway/rails'
import type { CardRefundPage, RefundsQuery } from '@causeway/rails/cards'
import { isSkippable } from './skippable.ts'

const at = new Date('2026-11-21T12:00:00Z')
const failing = (failure: ConstructorParameters<typeof RailError>[0]) => new RailError(failure, 'a fault')

/** A processor that answers with an empty list, or not at all. */
const processor = (answers: boolean) => {
  const requests: RefundsQuery[] = []
  const refundsSince = async (query: RefundsQuery): Promise<CardRefundPage> => {
    requests.push(query)
    if (!answers) throw failing('timeout')
    return { refunds: [], next: null }
  }
  return { requests, refundsSince }
}

describe('a failing part of a processor’s list', () => {
  it.each(['unavailable', 'timeout', 'reset', 'malformed', 'refused'] as const)(
    'is skipped when it is %s, while the processor answers for a range of time without refunds',
    async (failure) => {
      const well = processor(true)
      expect(await isSkippable(well, at, failing(failure))).toBe(true)
      expect(well.requests).toEqual([{ since: at, until: at, cursor: null }])
      expect(await isSkippable(processor(false), at, failing(failure))).toBe(false)
    },
  )

  it.each([failing('unreachable'), failing('throttled'), new Error('of our own')])(
    'is waited for without a request: %s',
    async (error) => {
      const well = processor(true)
      expect(await isSkippable(well, at, error)).toBe(false)
      expect(well.requests).toEqual([])
    },
  )
})
