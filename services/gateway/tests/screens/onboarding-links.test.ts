import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openFixture, type Fixture, type Replica } from '../fixtures/running-gateway.ts'
import { postForm } from './console-visitor.ts'

const GUESS = `/onboarding/${'a'.repeat(43)}`

let fixture: Fixture
let gateway: Replica
beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
})
afterAll(async () => {
  await fixture.close()
})

test('shows what to do for a link that opens nothing', async () => {
  const { status, text, headers } = await gateway.call('GET', GUESS)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    404,
    'text/html; charset=utf-8',
    'no-store',
  ])
  expect(text).toContain('This link is no longer valid')
})

test.each([
  ['page', (replica: Replica) => replica.call('GET', `${GUESS}/details/business`)],
  ['form', (replica: Replica) => postForm(replica, `${GUESS}/review`, { form_token: 'guessed' })],
  [
    'upload',
    (replica: Replica) =>
      replica.call('POST', `${GUESS}/documents/other?form_token=guessed`, {
        raw: '--b',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      }),
  ],
  ['file', (replica: Replica) => replica.call('GET', `${GUESS}/documents/doc_unknown/file`)],
])('counts links that open nothing as failed credentials of their address: %s', async (_, ask) => {
  const limited = await fixture.startReplica({ credentialFailures: { ratePerSecond: 0.001, burst: 1 } })
  const answers = [await ask(limited), await ask(limited)]
  expect(answers.map(({ status }) => status)).toEqual([404, 429])
  const refused = answers[1]
  expect(refused?.headers['retry-after']).toMatch(/^\d+$/)
  expect([refused?.headers['content-type'], refused?.text.includes('Too many requests')]).toEqual([
    'text/html; charset=utf-8',
    true,
  ])
  await limited.stop()
})
