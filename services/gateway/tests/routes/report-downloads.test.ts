import { createLogger, implement, refuse, reply, serve } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { reports } from '@causeway/contracts'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openFixture } from '../fixtures/running-gateway.ts'

let fixture: Awaited<ReturnType<typeof openFixture>>
let replica: Awaited<ReturnType<typeof fixture.startReplica>>
const PARTS = [Buffer.alloc(512 * 1024, 'a'), Buffer.alloc(512 * 1024, 'b'), Buffer.from('end')]
const size = PARTS.reduce((sum, { length }) => sum + length, 0)
/** Parts that the ledger has: of a report that is deleted during a download the last are missing. */
const has = { parts: PARTS.length }

beforeAll(async () => {
  fixture = await openFixture()
  const { bus, clock } = fixture
  const { getFile, getPart } = reports
  const handlers = implement(
    { getFile, getPart },
    {
      getFile: async ({ params }) =>
        params.token === 'known'
          ? reply({
              ...{ file_name: 'fees_2026-10-01_2026-11-01.csv', mime_type: 'text/csv; charset=utf-8' },
              ...{ file_size_bytes: size, parts: PARTS.length },
            })
          : refuse('resource_not_found'),
      getPart: async ({ params }) => {
        const part = Number(params.part)
        const content = part < has.parts ? PARTS[part] : undefined
        return content === undefined
          ? refuse('resource_not_found')
          : reply({ content_base64: content.toString('base64') })
      },
    },
  )
  const log = createLogger({ service: 'test', level: 'silent' })
  serve(bus, handlers, { keys: testReceiverKeys(), service: 'ledger', clock, log, checkReplies: true })
  await bus.connection.flush()
  replica = await fixture.startReplica()
})
afterAll(() => fixture.close())

const download = (token: string) => replica.call('GET', `/downloads/reports/${token}`)

describe('a download of a report', () => {
  test('joins its parts, as an attachment that is not cached, sniffed or run', async () => {
    const answer = await download('known')
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(Buffer.concat(PARTS).toString())
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(size),
      'content-disposition': expect.stringMatching(
        /^attachment; filename="?fees_2026-10-01_2026-11-01.csv"?$/,
      ),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
  })

  test('is 404 for an unknown token, and no part has a URL', async () => {
    for (const token of ['x', '%00', 'known/0'])
      expect(await download(token)).toMatchObject({ status: 404, code: 'resource_not_found' })
  })

  test('closes the connection before its announced length when a part is missing', async () => {
    has.parts = 2
    await expect(download('known')).rejects.toThrow()
    has.parts = 0
    expect(await download('known')).toMatchObject({ status: 500, code: 'internal_error' })
    has.parts = PARTS.length
  })
})
