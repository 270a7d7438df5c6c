import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { PARKED } from '../fixtures/fake-parked-events.ts'
import { newStaffKey, openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'
import { signIn, type Visitor } from './console-visitor.ts'

const MENDED = '/parked-events/onboarding-disputes/evt_mended'
const BROKEN = '/parked-events/webhooks-fanout/seq%3A7'

let fixture: Fixture
let gateway: Replica
let admin: Visitor
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  admin = await signIn(gateway)
})
afterAll(async () => {
  await fixture.close()
})

const lastEntry = async () => (await gateway.operate('GET', '/audit?order=newest&limit=1')).data.entries[0]

test('lists the queue of all services, oldest first and page by page, and names those that do not answer', async () => {
  const all = await gateway.operate('GET', '/parked-events')
  expect(all.data).toEqual({
    parked_events: [PARKED.onboarding, PARKED.webhooks],
    unavailable: ['payments', 'refunds', 'ledger'],
    next_cursor: null,
  })
  const first = await gateway.operate('GET', '/parked-events?limit=1')
  expect(first.data).toMatchObject({ parked_events: [PARKED.onboarding] })
  const { next_cursor: cursor } = first.data as unknown as { next_cursor: string }
  const second = await gateway.operate('GET', `/parked-events?limit=1&cursor=${cursor}`)
  expect(second.data).toMatchObject({ parked_events: [PARKED.webhooks], next_cursor: null })
  const other = await gateway.operate('GET', `/parked-events?state=set_aside&cursor=${cursor}`)
  expect([other.status, other.code]).toEqual([400, 'invalid_cursor'])
})

test('records in the audit log what staff did about one, with the state before it', async () => {
  const note = 'Its merchant was erased.'
  const answer = await gateway.operate('POST', `${MENDED}/set-aside`, { note })
  expect(answer.status).toBe(200)
  expect(await lastEntry()).toMatchObject({
    action: 'gateway.parked-events.set-aside',
    target: 'onboarding-disputes/evt_mended',
    before: { parked_event: { note: null } },
    after: { parked_event: { note } },
  })
  await gateway.operate('POST', `${BROKEN}/retry`)
  expect(await lastEntry()).toMatchObject({
    action: 'gateway.parked-events.retry',
    before: { parked_event: { event_id: 'seq:7' } },
    after: { result: 'failed' },
  })
})

test.each(['/parked-events/onboarding-disputes/evt_other', '/parked-events/nobody/evt_mended'])(
  'does not find %s',
  async (path) => {
    expect((await gateway.operate('GET', path)).status).toBe(404)
    expect((await gateway.operate('POST', `${path}/retry`)).status).toBe(404)
  },
)

test('lets a viewer read the queue and decide nothing', async () => {
  const viewer = await signIn(gateway, (await newStaffKey(gateway, 'viewer')).key)
  const page = await viewer.open(`/console${BROKEN}`)
  expect(page.text).toContain('&lt;b&gt;Not an event&lt;/b&gt;')
  expect(page.text).not.toContain('>Retry<')
  expect((await viewer.post(`/console${BROKEN}/retry`)).status).toBe(403)
})

test('lets an admin retry one, and shows its outcome', async () => {
  const list = await admin.open('/console/parked-events')
  expect(list.text).toContain('Events of payments, refunds, ledger are missing.')
  const handled = await admin.post(`/console${MENDED}/retry`)
  expect(handled.headers['location']).toBe('/console/parked-events?done=handled')
  const failed = await admin.post(`/console${BROKEN}/retry`)
  expect(failed.headers['location']).toBe(`/console${BROKEN}?done=failed`)
  const shown = await admin.open(`/console${BROKEN}?done=failed`)
  expect(shown.text).toContain('The retry failed.')
})

test('requires a note to set one aside, and keeps what was entered', async () => {
  const empty = await admin.post(`/console${MENDED}/set-aside`, { note: ' ' })
  expect([empty.status, empty.text.includes('id="field-note-error"')]).toEqual([400, true])
  const done = await admin.post(`/console${MENDED}/set-aside`, { note: 'Known.' })
  expect(done.headers['location']).toBe('/console/parked-events?done=set-aside')
})

test('counts them on the first page of the console', async () => {
  const { text } = await admin.open('/console')
  expect(text).toMatch(/Parked events<\/a>[\s\S]*?<td[^>]*>2</)
})

test('retries the selected events one after another, shows each outcome, and records each', async () => {
  const list = await admin.open('/console/parked-events?select=all')
  const values = [...list.text.matchAll(/name="entry"\s+value="([^"]+)"\s+aria-label="([^"]+)"\s+checked/g)]
  expect(values.map(([, value]) => value)).toEqual([
    'onboarding-disputes evt_mended',
    'webhooks-fanout seq:7',
  ])
  const entry = [...values.map(([, value = '']) => value), 'webhooks-fanout seq:8']
  const done = await admin.post('/console/parked-events/retry', { entry })
  expect(done.status).toBe(200)
  expect(done.text).toMatch(
    /evt_mended[\s\S]*Handled[\s\S]*seq:7[\s\S]*Failed again[\s\S]*seq:8[\s\S]*No longer in the queue/,
  )
  const { entries } = (
    await gateway.operate('GET', '/audit?order=newest&limit=3&action=gateway.parked-events.retry')
  ).data
  expect(entries.map(({ target }) => target)).toEqual([
    'webhooks-fanout/seq:8',
    'webhooks-fanout/seq:7',
    'onboarding-disputes/evt_mended',
  ])
  expect((await admin.post('/console/parked-events/retry', {})).status).toBe(400)
})

test('offers no bulk retry to a role that may not retry, and refuses it', async () => {
  const viewer = await signIn(gateway, (await newStaffKey(gateway, 'viewer')).key)
  expect((await viewer.open('/console/parked-events')).text).not.toContain('Retry the selected events')
  const refused = await viewer.post('/console/parked-events/retry', { entry: 'webhooks-fanout seq:7' })
  expect(refused.text).not.toMatch(/Failed again|Handled/)
})
