import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import type { ServerResponse } from 'node:http'
import { startFaultStage, type Sent, type Stage } from './stage.ts'

/** Processes are started and stopped in every test; a busy machine takes its time. */
jest.setTimeout(120_000)

/** An hour between attempts: nothing is due unless the test says so. */
const RETRIES = { PARTNER_RETRY_SCHEDULE: '1h,1h' }
const LEASE_MS = 60_000

let stage: Stage
beforeAll(async () => {
  stage = await startFaultStage(RETRIES)
})
afterEach(() => stage.clear())
afterAll(() => stage.stop())

const arrived = (count: number) => eventually(() => stage.receiver.hits.length === count)

/** Sends another event, which shows that whatever else was to be sent has been. */
const mark = async (): Promise<string> => {
  const { eventId } = await stage.send()
  await stage.delivered(eventId)
  return eventId
}

describe('on the way of a first attempt, a replica is killed', () => {
  test('before it sends: the event arrives once', async () => {
    const { hold, harness } = stage
    await stage.start()
    await mark()
    stage.receiver.hits.length = 0
    await hold.sql('BEGIN')
    await hold.sql('LOCK TABLE events IN ACCESS EXCLUSIVE MODE')
    const { eventId } = await stage.send()
    await eventually(async () => {
      const text = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'events'::regclass`
      return (await harness.sql(text)).length > 0
    })
    await stage.kill()
    await hold.sql('ROLLBACK')
    expect([stage.receiver.hits.length, await stage.recorded(eventId)]).toEqual([0, []])

    await stage.takeOver()
    await stage.delivered(eventId)
    expect(stage.arrivals()).toEqual([[eventId, 1]])
  })

  test('before it is answered: the event arrives again, and is written down once', async () => {
    stage.receiver.answerWith(() => undefined)
    await stage.start()
    const { eventId } = await stage.send()
    await arrived(1)
    await stage.kill()

    stage.receiver.answerWith((response) => response.end())
    await stage.takeOver()
    await stage.delivered(eventId)
    expect(stage.arrivals()).toEqual([[eventId, 2]])
    expect(await stage.recorded(eventId)).toEqual([{ state: 'delivered', codes: [200] }])
  })

  test('before the outcome is written: the event arrives again, and is written down once', async () => {
    await stage.start()
    await stage.hold.begin()
    const { eventId } = await stage.send()
    await stage.hold.reached()
    await stage.kill()
    await stage.hold.breakOff()
    expect([stage.receiver.hits.length, await stage.recorded(eventId)]).toEqual([1, []])

    await stage.takeOver()
    await stage.delivered(eventId)
    expect(stage.arrivals()).toEqual([[eventId, 2]])
    expect(await stage.recorded(eventId)).toEqual([{ state: 'delivered', codes: [200] }])
  })

  test('after the outcome is written and before it acknowledges: nothing arrives again', async () => {
    await stage.start()
    await stage.hold.begin()
    const { eventId } = await stage.send()
    await stage.hold.reached()
    await stage.kill()
    await stage.hold.release()
    await stage.delivered(eventId)

    await stage.takeOver()
    const marker = await mark()
    expect(stage.arrivals()).toEqual([
      [eventId, 1],
      [marker, 1],
    ])
  })

  test('after it has acknowledged: nothing arrives again', async () => {
    await stage.start()
    const { eventId } = await stage.send()
    const manager = await stage.harness.bus.jetstreamManager()
    await eventually(async () => {
      const consumer = await manager.consumers.info('EVENTS', 'webhooks-fanout')
      return stage.receiver.hits.length === 1 && consumer.num_ack_pending + consumer.num_pending === 0
    })
    await stage.kill()

    await stage.harness.startReplica()
    const marker = await mark()
    expect(stage.arrivals()).toEqual([
      [eventId, 1],
      [marker, 1],
    ])
  })
})

describe('on the way of a retry, a replica is killed', () => {
  /** An event whose first attempt failed; the answers to the second are collected. */
  const failOnce = async (): Promise<{ sent: Sent; answers: ServerResponse[] }> => {
    const answers: ServerResponse[] = []
    stage.receiver.answerWith((response, _hit, count) => {
      if (count === 1) response.writeHead(503).end()
      else answers.push(response)
    })
    await stage.start()
    const sent = await stage.send()
    await eventually(async () => (await stage.recorded(sent.eventId))[0]?.codes.length === 1)
    return { sent, answers }
  }
  const makeDue = ({ eventId, webhookId }: Sent) =>
    stage.hold.sql(
      `UPDATE deliveries SET due_at = $3, next_attempt_at = $3 WHERE event_id = $1 AND destination_id = $2`,
      [eventId, webhookId, new Date(Date.now() - 1_000)],
    )
  const leased = async ({ eventId }: Sent) => {
    const text = 'SELECT 1 FROM deliveries WHERE event_id = $1 AND lease_id IS NOT NULL'
    return (await stage.harness.sql(text, [eventId])).length === 1
  }
  /** Another replica, and the time at which every lease of the killed one is over. */
  const takeOverLater = async () => {
    stage.receiver.answerWith((response) => response.end())
    await stage.takeOver()
    stage.harness.clock.advance(LEASE_MS)
  }

  test('before it claims: the retry is made once', async () => {
    const { sent } = await failOnce()
    await stage.hold.begin()
    await makeDue(sent)
    await stage.hold.reached()
    await stage.kill()
    await stage.hold.breakOff()
    expect(await leased(sent)).toBe(false)

    await takeOverLater()
    await stage.delivered(sent.eventId)
    expect(stage.arrivals()).toEqual([[sent.eventId, 2]])
  })

  test('after it has claimed and before it sends: the retry is made once, when the lease is over', async () => {
    const { sent } = await failOnce()
    await stage.hold.begin()
    await makeDue(sent)
    await stage.hold.reached()
    await stage.kill()
    await stage.hold.release()
    await eventually(() => leased(sent))

    await takeOverLater()
    await stage.delivered(sent.eventId)
    expect(stage.arrivals()).toEqual([[sent.eventId, 2]])
    expect(await stage.recorded(sent.eventId)).toEqual([{ state: 'delivered', codes: [503, 200] }])
  })

  test('before it is answered: the retry is made again, when the lease is over', async () => {
    const { sent } = await failOnce()
    await makeDue(sent)
    await arrived(2)
    await stage.kill()

    await takeOverLater()
    await stage.delivered(sent.eventId)
    expect(stage.arrivals()).toEqual([[sent.eventId, 3]])
  })

  test('before the outcome is written: the retry is made again, when the lease is over', async () => {
    const { sent, answers } = await failOnce()
    await makeDue(sent)
    await arrived(2)
    await stage.hold.begin()
    answers[0]?.end()
    await stage.hold.reached()
    await stage.kill()
    await stage.hold.breakOff()
    expect(await leased(sent)).toBe(true)

    await takeOverLater()
    await stage.delivered(sent.eventId)
    expect(stage.arrivals()).toEqual([[sent.eventId, 3]])
    expect(await stage.recorded(sent.eventId)).toEqual([{ state: 'delivered', codes: [503, 200] }])
  })

  test('after the outcome is written: nothing is sent again', async () => {
    const { sent, answers } = await failOnce()
    await makeDue(sent)
    await arrived(2)
    await stage.hold.begin()
    answers[0]?.end()
    await stage.hold.reached()
    await stage.kill()
    await stage.hold.release()
    await stage.delivered(sent.eventId)

    await takeOverLater()
    const marker = await mark()
    expect(stage.arrivals()).toEqual([
      [sent.eventId, 2],
      [marker, 1],
    ])
  })
})
