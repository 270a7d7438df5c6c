import { newIdAt } from '@causeway/chassis'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import { feed, type EventFeedPage } from '@causeway/contracts'
import { createRecorder, type EventRecord } from '../../src/engine/record/record-store.ts'
import { startHarness, type Harness } from '../harness.ts'
import { callerOf, partnerEvent } from './feed-fixture.ts'

/** Commits of events are delayed, each differently, after the positions were assigned. */
const DELAYED_COMMITS = `
  CREATE FUNCTION delay_commit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_sleep(random() * random() * 0.02); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER delay_commit AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION delay_commit()`

const WRITERS = 6
const BATCHES = 25
const PARTNERS = 3

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const record = createRecorder({ attemptsOutliveDeliveries: true })

const recordOf = (partnerId: string, createdMs: number): EventRecord => {
  const { id, body } = partnerEvent(partnerId, createdMs)
  return {
    event: {
      ownerId: partnerId,
      eventId: id,
      type: 'payment.confirmed',
      integrationId: null,
      body: JSON.stringify(body),
      createdMs,
    },
    deliveries: [],
  }
}

const some = <T>(items: readonly T[]): T[] => items.filter(() => Math.random() < 0.6)

/** Writes batches, each with events of some partners in a random order. @returns the ids by partner */
const write = async (partnerIds: readonly string[]): Promise<readonly EventRecord[]> => {
  const written: EventRecord[] = []
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const owners = [...some(partnerIds), ...some(partnerIds)].toSorted(() => Math.random() - 0.5)
    // Ids are not in the order of commits: an event may be recorded seconds after it was created.
    const records = owners.map((owner) => recordOf(owner, Date.now() - Math.floor(Math.random() * 5_000)))
    if (records.length === 0) continue
    await record(harness.db, records)
    written.push(...records)
    await sleep(Math.random() * 3)
  }
  return written
}

const page = async (partnerId: string, after: string | null, limit: number): Promise<EventFeedPage> => {
  const query = { limit: String(limit), ...(after === null ? {} : { after }) }
  const answer = await harness.ask(feed.list, callerOf(partnerId), { query })
  if (!answer.ok) throw new Error(JSON.stringify(answer))
  return answer.value
}

/** Follows a feed until the writers are done and nothing is left. */
const follow = async (partnerId: string, isDone: () => boolean): Promise<string[]> => {
  const seen: string[] = []
  let after: string | null = null
  for (;;) {
    const wasDone = isDone()
    const { events, resume_after: next, next_cursor: more } = await page(partnerId, after, 7)
    seen.push(...events.map((event) => event.event_id))
    after = next
    if (wasDone && more === null) return seen
  }
}

test('gives a reader that follows each event once, in one order, while replicas commit in any order', async () => {
  await harness.sql(DELAYED_COMMITS)
  const partnerIds = Array.from({ length: PARTNERS }, (_, n) => newIdAt('partner', Date.now() + n))
  let isDone = false
  const writing = Promise.all(Array.from({ length: WRITERS }, () => write(partnerIds))).finally(() => {
    isDone = true
  })
  const followed = await Promise.all(partnerIds.map((partnerId) => follow(partnerId, () => isDone)))
  const written = (await writing).flat()
  for (const [n, partnerId] of partnerIds.entries()) {
    const own = written.filter(({ event }) => event.ownerId === partnerId).map(({ event }) => event.eventId)
    expect(followed[n]?.toSorted()).toEqual(own.toSorted())
    expect(await follow(partnerId, () => true)).toEqual(followed[n])
  }
})

test('numbers what a replica of the version before writes, which sets no position', async () => {
  await harness.sql('DROP TRIGGER IF EXISTS delay_commit ON events')
  const nowMs = Date.now()
  const partnerId = newIdAt('partner', nowMs)
  const records = [3, 1, 2].map((n) => recordOf(partnerId, nowMs + n))
  const [first, second, third] = records.map(({ event }) => event)
  const insert = 'INSERT INTO events (owner_id, event_id, type, body, created_at) VALUES '
  const values = [first, second].flatMap((event) => [event?.eventId, event?.body])
  await harness.sql(
    `${insert} ($1, $2, 'payment.confirmed', $3, now()), ($1, $4, 'payment.confirmed', $5, now())`,
    [partnerId, ...values],
  )
  await record(harness.db, [records[2] as EventRecord])
  const { events } = await page(partnerId, null, 10)
  expect(events.map((event) => event.event_id)).toEqual([first, second, third].map((event) => event?.eventId))
})

test('lists events from before the feed first, in the order of their ids', async () => {
  const nowMs = Date.now()
  const partnerId = newIdAt('partner', nowMs)
  const records = [4, 2, 3, 1].map((n) => recordOf(partnerId, nowMs + n))
  await record(harness.db, records.slice(0, 1))
  for (const { event } of records.slice(1))
    await harness.sql(
      `INSERT INTO events (owner_id, event_id, type, body, created_at, feed_position)
       VALUES ($1, $2, 'payment.confirmed', $3, now(), 0)`,
      [partnerId, event.eventId, event.body],
    )
  const expected = [3, 1, 2, 0].map((n) => records[n]?.event.eventId)
  const seen: string[] = []
  let after: string | null = null
  do {
    const { events, next_cursor: next }: EventFeedPage = await page(partnerId, after, 1)
    seen.push(...events.map((event) => event.event_id))
    after = next
  } while (after !== null)
  expect(seen).toEqual(expected)
})
