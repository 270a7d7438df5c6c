import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { ServerResponse } from 'node:http'
import { startFaultFixture, type Sent, type Fixture } from './crash-fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFaultFixture()
})
afterEach(() => fixture.clear())
afterAll(() => fixture.stop())

const arrived = (count: number) => eventually(() => fixture.receiver.hits.length === count)

/** Sends another event, which shows that whatever else was to be sent has been. */
const mark = async (): Promise<string> => {
  const { eventId } = await fixture.send()
  await fixture.delivered(eventId)
  return eventId
}

describe('a replica killed during a first attempt', () => {
  test('delivers the event once when killed before it sends', async () => {
    const { hold, harness } = fixture
    await fixture.start()
    await mark()
    fixture.receiver.hits.length = 0
    await hold.sql('BEGIN')
    await hold.sql('LOCK TABLE events IN ACCESS EXCLUSIVE MODE')
    const { eventId } = await fixture.send()
    await eventually(async () => {
      const text = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass`
      return (await harness.sql(text)).length > 0
    })
    await fixture.kill()
    await hold.sql('ROLLBACK')
    expect([fixture.receiver.hits.length, await fixture.recorded(eventId)]).toEqual([0, []])

    await fixture.takeOver()
    await fixture.delivered(eventId)
    expect(fixture.arrivals()).toEqual([[eventId, 1]])
  })

  test('delivers the event again and records it once when killed before the response', async () => {
    fixture.receiver.answerWith(() => undefined)
    await fixture.start()
    const { eventId } = await fixture.send()
    await arrived(1)
    await fixture.kill()

    fixture.receiver.answerWith((response) => response.end())
    await fixture.takeOver()
    await fixture.delivered(eventId)
    expect(fixture.arrivals()).toEqual([[eventId, 2]])
    expect(await fixture.recorded(eventId)).toEqual([{ state: 'delivered', codes: [200] }])
  })

  test('delivers the event again and records it once when killed before the outcome is written', async () => {
    await fixture.start()
    await fixture.hold.begin()
    const { eventId } = await fixture.send()
    await fixture.hold.reached()
    await fixture.kill()
    await fixture.hold.breakOff()
    expect([fixture.receiver.hits.length, await fixture.recorded(eventId)]).toEqual([1, []])

    await fixture.takeOver()
    await fixture.delivered(eventId)
    expect(fixture.arrivals()).toEqual([[eventId, 2]])
    expect(await fixture.recorded(eventId)).toEqual([{ state: 'delivered', codes: [200] }])
  })

  test('delivers nothing again when killed after the outcome is written and before it acknowledges', async () => {
    await fixture.start()
    await fixture.hold.begin()
    const { eventId } = await fixture.send()
    await fixture.hold.reached()
    await fixture.kill()
    await fixture.hold.release()
    await fixture.delivered(eventId)

    await fixture.takeOver()
    const marker = await mark()
    expect(fixture.arrivals()).toEqual([
      [eventId, 1],
      [marker, 1],
    ])
  })

  test('delivers nothing again when killed after it has acknowledged', async () => {
    await fixture.start()
    const { eventId } = await fixture.send()
    const manager = await fixture.harness.bus.jetstreamManager()
    await eventually(async () => {
      const consumer = await manager.consumers.info('EVENTS', 'webhooks-fanout')
      return fixture.receiver.hits.length === 1 && consumer.num_ack_pending + consumer.num_pending === 0
    })
    await fixture.kill()

    await fixture.harness.startReplica()
    const marker = await mark()
    expect(fixture.arrivals()).toEqual([
      [eventId, 1],
      [marker, 1],
    ])
  })
})

describe('a replica killed during a retry', () => {
  /** An event whose first attempt failed; the answers to the second are collected. */
  const failOnce = async (): Promise<{ sent: Sent; answers: ServerResponse[] }> => {
    const answers: ServerResponse[] = []
    fixture.receiver.answerWith((response, _hit, count) => {
      if (count === 1) response.writeHead(503).end()
      else answers.push(response)
    })
    await fixture.start()
    const sent = await fixture.send()
    await eventually(async () => (await fixture.recorded(sent.eventId))[0]?.codes.length === 1)
    return { sent, answers }
  }
  const makeDue = ({ eventId, webhookId }: Sent) =>
    fixture.hold.sql(
      `UPDATE deliveries SET due_at = $3, next_attempt_at = $3 WHERE event_id = $1 AND destination_id = $2`,
      [eventId, webhookId, new Date(Date.now() - 1_000)],
    )
  const leased = async ({ eventId }: Sent) => {
    const text = 'SELECT 1 FROM deliveries WHERE event_id = $1 AND lease_id IS NOT NULL'
    return (await fixture.harness.sql(text, [eventId])).length === 1
  }
  /** Another replica, at the time at which every lease of the killed one is over. */
  const takeOverLater = async () => {
    fixture.receiver.answerWith((response) => response.end())
    await fixture.takeOverLater()
  }

  test('makes the retry once when killed before it claims', async () => {
    const { sent } = await failOnce()
    await fixture.hold.begin()
    await makeDue(sent)
    await fixture.hold.reached()
    await fixture.kill()
    await fixture.hold.breakOff()
    expect(await leased(sent)).toBe(false)

    await takeOverLater()
    await fixture.delivered(sent.eventId)
    expect(fixture.arrivals()).toEqual([[sent.eventId, 2]])
  })

  test('makes the retry once, after the lease, when killed after the claim and before it sends', async () => {
    const { sent } = await failOnce()
    await fixture.hold.begin()
    await makeDue(sent)
    await fixture.hold.reached()
    await fixture.kill()
    await fixture.hold.release()
    await eventually(() => leased(sent))

    await takeOverLater()
    await fixture.delivered(sent.eventId)
    expect(fixture.arrivals()).toEqual([[sent.eventId, 2]])
    expect(await fixture.recorded(sent.eventId)).toEqual([{ state: 'delivered', codes: [503, 200] }])
  })

  test('makes the retry again, after the lease, when killed before the response', async () => {
    const { sent } = await failOnce()
    await makeDue(sent)
    await arrived(2)
    await fixture.kill()

    await takeOverLater()
    await fixture.delivered(sent.eventId)
    expect(fixture.arrivals()).toEqual([[sent.eventId, 3]])
  })

  test('makes the retry again, after the lease, when killed before the outcome is written', async () => {
    const { sent, answers } = await failOnce()
    await makeDue(sent)
    await arrived(2)
    await fixture.hold.begin()
    answers[0]?.end()
    await fixture.hold.reached()
    await fixture.kill()
    await fixture.hold.breakOff()
    expect(await leased(sent)).toBe(true)

    await takeOverLater()
    await fixture.delivered(sent.eventId)
    expect(fixture.arrivals()).toEqual([[sent.eventId, 3]])
    expect(await fixture.recorded(sent.eventId)).toEqual([{ state: 'delivered', codes: [503, 200] }])
  })

  test('sends nothing again when killed after the outcome is written', async () => {
    const { sent, answers } = await failOnce()
    await makeDue(sent)
    await arrived(2)
    await fixture.hold.begin()
    answers[0]?.end()
    await fixture.hold.reached()
    await fixture.kill()
    await fixture.hold.release()
    await fixture.delivered(sent.eventId)

    await takeOverLater()
    const marker = await mark()
    expect(fixture.arrivals()).toEqual([
      [sent.eventId, 2],
      [marker, 1],
    ])
  })
})
