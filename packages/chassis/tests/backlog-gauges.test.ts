import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { startBacklogGauges } from '../src/backlog-gauges.ts'
import { parkEvent } from '../src/parked-events-store.ts'
import { registry } from '../src/index.ts'
import { eventually } from '../src/testing/index.ts'
import { anEvent, openDatabase, silent } from './fixture.ts'

let fixture: Awaited<ReturnType<typeof openDatabase>>
beforeEach(async () => {
  fixture = await openDatabase()
})
afterEach(() => fixture.close())

const valueOf = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value
const read = async () => ({
  waiting: await valueOf('causeway_outbox_unpublished_events'),
  oldest: await valueOf('causeway_outbox_oldest_unpublished_age_seconds'),
  parked: await valueOf('causeway_parked_events'),
})

test('counts unpublished and parked events, with the age of the oldest', async () => {
  const { db, clock } = fixture
  const first = startBacklogGauges({ db, clock, log: silent })
  await eventually(async () => (await read()).waiting === 0)
  expect(await read()).toEqual({ waiting: 0, oldest: 0, parked: 0 })
  await first.stop()

  await db.transaction(async (tx) => tx.emit(anEvent()))
  clock.advance(60_000)
  await db.transaction(async (tx) => tx.emit({ ...anEvent(), created_at: clock.now().toISOString() }))
  const parked = { consumer: 'c', eventId: 'e', subject: 's', payload: '{}', error: 'x', now: clock.now() }
  await parkEvent(db, parked)
  const second = startBacklogGauges({ db, clock, log: silent })
  await eventually(async () => (await read()).parked === 1)
  await second.stop()
  const { waiting, oldest } = await read()
  expect(waiting).toBe(2)
  expect(Math.floor((oldest ?? 0) / 60)).toBe(1)
})
