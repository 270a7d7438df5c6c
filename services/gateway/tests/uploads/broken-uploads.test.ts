import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { eventually, makeStreams } from '@causeway/chassis/testing'
import { BLOB_BUCKET } from '@causeway/contracts'
import {
  fileOf,
  FORM_TYPE,
  formOf,
  jsonOf,
  largePdf,
  openUploadFixture,
  PATH,
  TYPE_PART,
  UNKNOWN,
} from './fixture.ts'

let fixture: Awaited<ReturnType<typeof openUploadFixture>>
beforeAll(async () => {
  fixture = await openUploadFixture()
})
beforeEach(() => fixture.forget())
afterAll(() => fixture.close())

describe('an upload that fails', () => {
  test('is 404 for a customer that is not visible, and stores no bytes', async () => {
    const before = await fixture.subjects()
    for (const send of [
      () => fixture.postForm([TYPE_PART, fileOf(largePdf(300_000))], UNKNOWN),
      () => fixture.postJson(jsonOf(), UNKNOWN),
      () => fixture.postJson(jsonOf(), '/api/v1/partner/customers/nobody/documents'),
    ])
      expect(await send()).toMatchObject({ status: 404, code: 'resource_not_found' })
    expect(fixture.script.created).toBe(0)
    await fixture.expectNothingLeft(before)
  })

  test('leaves nothing if the state of the case has changed', async () => {
    const before = await fixture.subjects()
    fixture.script.refuseCreate = true
    expect(await fixture.postForm([TYPE_PART, fileOf(largePdf(300_000))])).toMatchObject({
      status: 409,
      code: 'invalid_state',
      details: [{ reason: 'case_pending' }],
    })
    await fixture.expectNothingLeft(before)
  })

  test.each<[string, string, Buffer]>([
    ['form', FORM_TYPE, formOf([TYPE_PART, fileOf(largePdf(500_000))], '')],
    ['JSON', 'application/json', Buffer.from(`{"content_base64":"${largePdf(600_000).toString('base64')}`)],
  ])(
    'leaves neither a row nor bytes if the caller of a %s hangs up in the middle',
    async (_what, type, body) => {
      const before = await fixture.subjects()
      const socket = fixture.beginRequest(
        [`POST ${PATH} HTTP/1.1`, `Content-Type: ${type}`, 'Content-Length: 5000000'],
        body,
      )
      await eventually(async () => (await fixture.subjects()).length > before.length)
      socket.destroy()
      await eventually(() => fixture.script.discarded.length === 1)
      await fixture.expectNothingLeft(before)
    },
  )

  test('is 503 without a store, and succeeds once there is a store again', async () => {
    const manager = await fixture.bus.jetstreamManager()
    await manager.streams.delete(`OBJ_${BLOB_BUCKET}`)
    expect(await fixture.postForm([TYPE_PART, fileOf(largePdf(300_000))])).toMatchObject({
      status: 503,
      code: 'temporarily_unavailable',
    })
    expect(fixture.created).toEqual([])
    await makeStreams(fixture.bus)
    expect(await fixture.postForm([TYPE_PART, fileOf(largePdf(300_000))])).toMatchObject({ status: 201 })
  })
})
