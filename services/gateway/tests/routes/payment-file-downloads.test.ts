import { createLogger, implement, refuse, reply, serve } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { paymentFiles } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openFixture } from '../fixtures/running-gateway.ts'

let fixture: Awaited<ReturnType<typeof openFixture>>
let replica: Awaited<ReturnType<typeof fixture.startReplica>>
const CONTENT = '<?xml version="1.0"?><Document/>'

beforeAll(async () => {
  fixture = await openFixture()
  const { bus, clock } = fixture
  const { getFile } = paymentFiles
  const handlers = implement(
    { getFile },
    {
      getFile: async ({ params }) =>
        params.token === 'known'
          ? reply({
              ...{ file_name: 'pfl-1.xml', mime_type: 'application/xml', file_size_bytes: CONTENT.length },
              content_base64: Buffer.from(CONTENT).toString('base64'),
            })
          : refuse('resource_not_found'),
    },
  )
  const log = createLogger({ service: 'test', level: 'silent' })
  serve(bus, handlers, { keys: testReceiverKeys(), service: 'ledger', clock, log, checkReplies: true })
  await bus.connection.flush()
  replica = await fixture.startReplica()
})
afterAll(() => fixture.close())

test('sends a payment file as an attachment that is not cached, sniffed or run, and 404 for an unknown token', async () => {
  const answer = await replica.call('GET', '/downloads/payment-files/known')
  expect([answer.status, answer.text]).toEqual([200, CONTENT])
  expect(answer.headers).toMatchObject({
    'content-type': 'application/xml',
    'content-length': String(CONTENT.length),
    'content-disposition': expect.stringMatching(/^attachment; filename="?pfl-1.xml"?$/),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  expect(await replica.call('GET', '/downloads/payment-files/x')).toMatchObject({
    status: 404,
    code: 'resource_not_found',
  })
})
