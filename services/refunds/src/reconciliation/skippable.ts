import { RailError, type CardProcessor, type RailFailure } from '@causeway/rails'

/** Says of the processor as a whole that it cannot be read now. */
const OF_ALL: ReadonlySet<RailFailure> = new Set(['unreachable', 'throttled'])

/**
 * Whether a failure is of what was asked alone: the processor answers about a stretch of time in which nothing lies.
 * A processor that answers nothing is waited for instead.
 */
export const isSkippable = async (
  processor: Pick<CardProcessor, 'refundsSince'>,
  at: Date,
  error: unknown,
): Promise<boolean> => {
  if (!(error instanceof RailError) || OF_ALL.has(error.failure)) return false
  try {
    await processor.refundsSince({ since: at, until: at, cursor: null })
    return true
  } catch {
    return false
  }
}
