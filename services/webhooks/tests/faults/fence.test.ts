import { eventually } from '@causeway/chassis/testing'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ATTEMPTS } from '../attempt-rows.ts'
import { LEASES_OVER_MS, startFaultFixture, type Sent, type Fixture } from './crash-fixture.ts'

const REPLICA = fileURLToPath(new URL('./replica-with-clock.ts', import.meta.url))
const EVENTS = 40
const CONNECTIONS = 8

const folder = mkdtempSync(join(tmpdir(), 'causeway-fence-'))
const clockFile = join(folder, 'clock')
let fixture: Fixture
beforeAll(async () => {
  writeFileSync(clockFile, '0')
  fixture = await startFaultFixture([REPLICA, clockFile])
})
afterEach(async () => {
  fixture.signal('SIGCONT')
  await fixture.clear()
  writeFileSync(clockFile, '0')
})
afterAll(async () => {
  await fixture.stop()
  rmSync(folder, { recursive: true })
})

/** Keeps the answers to what the replica has in flight, and stalls it as soon as all of its connections are busy. */
const stallWhenBusy = (): ServerResponse[] => {
  const kept: ServerResponse[] = []
  fixture.receiver.answerWith((response) => {
    if (kept.length === CONNECTIONS) {
      response.end()
      return
    }
    kept.push(response)
    if (kept.length === CONNECTIONS) fixture.signal('SIGSTOP')
  })
  return kept
}

const allDelivered = (sent: readonly Sent[]) =>
  eventually(async () => {
    const text = `SELECT count(*)::integer AS n FROM deliveries WHERE state = 'delivered' AND event_id = ANY ($1)`
    const [row] = await fixture.harness.sql<{ n: number }>(text, [sent.map((one) => one.eventId)])
    return row?.n === sent.length
  })

/**
 * Resumes the stalled replica alone after its leases expired, when all responses have arrived; the delivered marker shows
 * that it read them.
 */
const wake = async (kept: readonly ServerResponse[]): Promise<string> => {
  await fixture.harness.stopReplicas()
  writeFileSync(clockFile, String(LEASES_OVER_MS))
  for (const response of kept) response.writeHead(400).end()
  fixture.signal('SIGCONT')
  const { eventId } = await fixture.send()
  await fixture.delivered(eventId)
  return eventId
}

/** How many events arrived how often; the marker once. */
const countArrivals = (marker: string) => {
  const times = new Map<number, number>()
  for (const [eventId, count] of fixture.arrivals())
    if (eventId !== marker) times.set(count, (times.get(count) ?? 0) + 1)
  return Object.fromEntries(times)
}

test('stops sending first attempts after a stall when another replica took over', async () => {
  await fixture.start()
  const kept = stallWhenBusy()
  const sent = await Promise.all(Array.from({ length: EVENTS }, () => fixture.send()))
  await eventually(() => kept.length === CONNECTIONS)
  await fixture.takeOverLater()
  await allDelivered(sent)
  const marker = await wake(kept)
  await allDelivered(sent)
  expect(countArrivals(marker)).toEqual({ 1: EVENTS - CONNECTIONS, 2: CONNECTIONS })
})

test('decides and sends nothing after a stall during retries once its leases have ended', async () => {
  fixture.receiver.answerWith((response) => response.writeHead(503).end())
  await fixture.start()
  const sent = await Promise.all(Array.from({ length: EVENTS }, () => fixture.send()))
  await eventually(async () => {
    const text = `SELECT count(*)::integer AS n FROM deliveries WHERE retries_used = 1 AND event_id = ANY ($1)`
    const [row] = await fixture.harness.sql<{ n: number }>(text, [sent.map((one) => one.eventId)])
    return row?.n === EVENTS
  })
  // A new process claims all of them together; one that observed slow responses would claim fewer than its connections.
  await fixture.kill()
  await fixture.start()
  fixture.receiver.hits.length = 0
  const kept = stallWhenBusy()
  await fixture.hold.sql(
    'UPDATE deliveries SET due_at = $2, next_attempt_at = $2 WHERE event_id = ANY ($1)',
    [sent.map((one) => one.eventId), new Date(Date.now() - 1_000)],
  )
  await eventually(() => kept.length === CONNECTIONS)
  await fixture.takeOverLater()
  await allDelivered(sent)
  const marker = await wake(kept)
  await allDelivered(sent)
  expect(countArrivals(marker)).toEqual({ 1: EVENTS - CONNECTIONS, 2: CONNECTIONS })
  const late = await eventually(async () => {
    const text = `SELECT d.state FROM deliveries d JOIN ${ATTEMPTS} a ON a.delivery_id = d.id
      WHERE a.status_code = 400 AND d.event_id = ANY ($1)`
    const rows = await fixture.harness.sql<{ state: string }>(text, [sent.map((one) => one.eventId)])
    return rows.length >= CONNECTIONS && rows
  })
  expect(late).toEqual(Array.from({ length: CONNECTIONS }, () => ({ state: 'delivered' })))
})
