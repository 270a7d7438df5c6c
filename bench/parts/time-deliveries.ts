import type { Expect, Receiver } from '../load/receiver-process.ts'
import { sharedNowMs } from '../measure/clock.ts'
import type { Run } from '../measure/rounds.ts'

/**
 * The one rule by which all contenders of fan-out are timed: from the moment that a contender, which holds its events
 * already, is told to begin until the last of them has arrived at the receiver.
 * @param begin tells it; what it gives is awaited as well, but takes no part in the time
 */
export const timeDeliveries = async (
  receiver: Receiver,
  expect: Expect,
  begin: () => unknown,
): Promise<Run> => {
  await receiver.reset()
  const beganAtMs = sharedNowMs()
  const [{ lastAtMs }] = await Promise.all([receiver.until(expect), begin()])
  return { done: expect.events, seconds: (lastAtMs - beganAtMs) / 1_000 }
}
