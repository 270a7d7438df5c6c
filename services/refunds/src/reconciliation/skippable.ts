import { RailError, type RailFailure } from '@causeway/rails'
import type { CardProcessor } from '@causeway/rails/cards'

/** Failures that mean the whole processor is down. */
const PROCESSOR_DOWN: ReadonlySet<RailFailure> = new Set(['unreachable', 'throttled'])

/**
 * Checks whether a failure affects only the requested part: the processor responds for a time range without refunds. If it does
 * not, it is down, and the run waits.
 */
export const isSkippable = async (
  processor: Pick<CardProcessor, 'refundsSince'>,
  at: Date,
  error: unknown,
): Promise<boolean> => {
  if (!(error instanceof RailError) || PROCESSOR_DOWN.has(error.failure)) return false
  try {
    await processor.refundsSince({ since: at, until: at, cursor: null })
    return true
  } catch {
    return false
  }
}
