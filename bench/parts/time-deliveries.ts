import type { Expect, Receiver } from '../load/receiver-process.ts'
import { sharedNowMs } from '../measure/clock.ts'
import type { Run } from '../measure/rounds.ts'

/**
 * Times all contenders of fan-out by the same rule: from the signal to begin, with the events already at the contender,
 * until the last event has arrived at the receiver.
 * @param begin sends the signal; its promise is awaited, but not timed
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
