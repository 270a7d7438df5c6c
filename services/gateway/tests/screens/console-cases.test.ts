import { newId } from '@causeway/chassis'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openFourEyes, type FourEyesFixture } from '../fixtures/four-eyes.ts'
import { signIn, type Visitor } from './console-visitor.ts'

const CHANGED = 'This case has changed since you opened it.'

let fixture: FourEyesFixture
let reviewer: Visitor
let path: string
beforeAll(async () => {
  fixture = await openFourEyes()
  reviewer = await signIn(fixture.plain)
  path = `/console/cases/${fixture.fakeCase.id}`
})
afterAll(() => fixture.close())
beforeEach(() => {
  Object.assign(fixture.fakeCase, {
    status: 'pending',
    version: 1,
    editedAt: null,
    approvedBy: [],
    waiting: null,
  })
})

/** The partner edits the case. */
const edit = () => Object.assign(fixture.fakeCase, { version: 2, editedAt: '2026-05-05T05:05:05.555Z' })
const versionsIn = (text: string) =>
  [...text.matchAll(/name="version" value="(\d+)"/g)].map(([, value]) => value)

test('shows a reviewer who has a case open that it has changed, at the next poll', async () => {
  const page = await reviewer.open(path)
  expect([page.status, page.text.includes(CHANGED)]).toEqual([200, false])
  const look = /hx-get="([^"]+)"/.exec(page.text)?.[1] ?? ''
  expect(look).toBe(`${path}/changes?version=1`)
  expect((await reviewer.open(look)).text).not.toContain(CHANGED)
  edit()
  const seen = await reviewer.open(look)
  expect([seen.status, seen.text.includes(CHANGED), seen.text.includes('hx-get')]).toEqual([200, true, false])
})

test.each<[string, Record<string, string>]>([
  ['approve', {}],
  ['reject', { rejection_reason: 'other' }],
])(
  'refuses to let a reviewer %s a case that was edited after its page was opened',
  async (decision, fields) => {
    const page = await reviewer.open(path)
    expect(versionsIn(page.text)).toEqual(['1', '1'])
    edit()
    const refused = await reviewer.post(`${path}/${decision}`, { ...fields, version: '1' })
    expect([refused.status, refused.text.includes('The case has changed since you opened it.')]).toEqual([
      409,
      true,
    ])
    expect([fixture.fakeCase.status, versionsIn(refused.text)]).toEqual(['pending', ['2', '2']])
    expect((await reviewer.post(`${path}/${decision}`, { ...fields, version: '2' })).status).toBe(303)
    expect(fixture.fakeCase.status).toBe(decision === 'approve' ? 'approved' : 'rejected')
  },
)

test.each<[string, Record<string, string>]>([
  ['approve', {}],
  ['reject', { rejection_reason: 'other' }],
])(
  'opens the case that waits longest after a decision to %s and open the next, or the queue',
  async (decision, fields) => {
    const next = newId('verification')
    const decide = (more: Record<string, string>) => {
      Object.assign(fixture.fakeCase, { status: 'pending' })
      return reviewer.post(`${path}/${decision}`, { ...fields, version: '1', ...more })
    }
    expect((await decide({})).headers['location']).toBe(path)
    expect((await decide({ next: 'true' })).headers['location']).toBe('/console/cases')
    fixture.fakeCase.waiting = next
    expect((await decide({ next: 'true' })).headers['location']).toBe(`/console/cases/${next}`)
    expect((await reviewer.open(path)).text).not.toContain('open the next')
    expect((await reviewer.open('/console/cases')).text).toContain('Alice Ops')
  },
)
