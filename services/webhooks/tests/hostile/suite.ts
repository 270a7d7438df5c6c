import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Behaviour } from './behaviour.ts'
import { startFixture, type Case, type Fixture } from './hostile-fixture.ts'

/** Longer than any behaviour that ends: only one that never ends reaches it. */
const NEVER_MET_MS = 120_000

/** Makes the deliveries of a case one after the other. @returns their events */
const publishAll = async (fixture: Fixture, one: Case): Promise<string[]> => {
  const eventIds = [one.firstEventId]
  for (let made = 1; made < (one.behaviour.deliveries ?? 1); made += 1) {
    await fixture.attempted(one, one.hostileId, eventIds.at(-1) as string)
    eventIds.push(await fixture.publish(one))
  }
  return eventIds
}

/** The platform's record of the last delivery, in the shape of an outcome. */
const outcomeIn = async (fixture: Fixture, one: Case, eventIds: readonly string[]) => {
  const delivery = await fixture.attempted(one, one.hostileId, eventIds.at(-1) as string)
  const [attempt] = delivery.attempts
  return {
    attempts: delivery.attempts.length,
    status: delivery.status,
    waits: delivery.next_attempt_at !== null,
    statusCode: attempt?.status_code,
    error: attempt?.error,
    body: attempt?.response_body,
    requests: one.server.requests(),
  }
}

const expectedOf = ({ outcome, deliveries = 1, requests = deliveries }: Behaviour) => ({
  ...outcome,
  attempts: 1,
  waits: outcome.status === 'waiting',
  body: outcome.body instanceof RegExp ? (expect.stringMatching(outcome.body) as unknown) : outcome.body,
  requests,
})

/**
 * One test a behaviour: its receiver's outcome is exact, and the same events reach the partner's other destination at
 * the first attempt.
 */
export const describeBehaviours = (
  title: string,
  behaviours: readonly Behaviour[],
  options: Partial<Parameters<typeof startFixture>[1]> = {},
): void => {
  describe(title, () => {
    let fixture: Fixture
    let isReady = false
    beforeAll(async () => {
      fixture = await startFixture(behaviours, { timeoutMs: NEVER_MET_MS, ...options })
      isReady = true
    })
    afterAll(async () => {
      if (isReady) await fixture.stop()
    })

    test.each(behaviours.map((behaviour, index) => [behaviour.receiver, index] as const))(
      'handles a receiver that %s',
      async (_receiver, index) => {
        const one = fixture.cases[index] as Case
        const eventIds = await publishAll(fixture, one)
        expect(await outcomeIn(fixture, one, eventIds)).toEqual(expectedOf(one.behaviour))
        for (const eventId of eventIds) {
          const neighbour = await fixture.attempted(one, one.neighbourId, eventId)
          expect([neighbour.status, neighbour.attempts.length]).toEqual(['delivered', 1])
        }
      },
    )

    test('dials no other address, wherever a response points', () => {
      const own = [...fixture.cases.map((one) => one.server.port), fixture.neighbour.port]
      expect([...fixture.dialled].sort()).toEqual(own.map((port) => `127.0.0.1:${port}`).sort())
    })
  })
}
