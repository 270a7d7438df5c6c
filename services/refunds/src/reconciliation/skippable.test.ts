import { describe, expect, it } from '@jest/globals'
import { RailError, type CardRefundPage, type RefundsQuery } from '@causeway/rails'
import { isSkippable } from './skippable.ts'

const at = new Date('2026-11-21T12:00:00Z')
const failing = (failure: ConstructorParameters<typeof RailError>[0]) => new RailError(failure, 'a fault')

/** A processor that answers about nothing, or not at all. */
const processor = (answers: boolean) => {
  const asked: RefundsQuery[] = []
  const refundsSince = async (query: RefundsQuery): Promise<CardRefundPage> => {
    asked.push(query)
    if (!answers) throw failing('timeout')
    return { refunds: [], next: null }
  }
  return { asked, refundsSince }
}

describe('a failing part of a processor’s list', () => {
  it.each(['unavailable', 'timeout', 'reset', 'malformed', 'refused'] as const)(
    'that is %s is passed over while the processor answers about a time in which nothing lies',
    async (failure) => {
      const well = processor(true)
      expect(await isSkippable(well, at, failing(failure))).toBe(true)
      expect(well.asked).toEqual([{ since: at, until: at, cursor: null }])
      expect(await isSkippable(processor(false), at, failing(failure))).toBe(false)
    },
  )

  it.each([failing('unreachable'), failing('throttled'), new Error('of our own')])(
    'is waited for without a question: %s',
    async (error) => {
      const well = processor(true)
      expect(await isSkippable(well, at, error)).toBe(false)
      expect(well.asked).toEqual([])
    },
  )
})
