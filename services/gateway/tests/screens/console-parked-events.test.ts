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
