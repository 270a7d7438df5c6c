import { RailError, type CardProcessor, type RailFailure } from '@causeway/rails'

/** Failures that mean the whole processor is down. */
const PROCESSOR_DOWN: ReadonlySet<RailFailure> = new Set(['unreachable', 'throttled'])

/**
 * Whether a failure is of the requested part alone: the processor answers for a range of time without refunds. One that
 * does not is down, and the run waits for it.
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
