import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { eventually, makeStreams } from '@causeway/chassis/testing'
import { BLOB_BUCKET } from '@causeway/contracts'
import {
  fileOf,
  FORM_TYPE,
  formOf,
  jsonOf,
  largePdf,
  openUploadStage,
  PATH,
  TYPE_PART,
  UNKNOWN,
} from './stage.ts'

let stage: Awaited<ReturnType<typeof openUploadStage>>
beforeAll(async () => {
  stage = await openUploadStage()
})
beforeEach(() => stage.forget())
afterAll(() => stage.close())

describe('an upload that comes to nothing', () => {
  test('for a customer that is not visible is 404, and none of its bytes is stored', async () => {
    const before = await stage.subjects()
    for (const send of [
      () => stage.postForm([TYPE_PART, fileOf(largePdf(300_000))], UNKNOWN),
      () => stage.postJson(jsonOf(), UNKNOWN),
      () => stage.postJson(jsonOf(), '/api/v1/partner/customers/nobody/documents'),
    ])
      expect(await send()).toMatchObject({ status: 404, code: 'resource_not_found' })
    expect(stage.script.begun).toBe(0)
    await stage.expectNothingLeft(before)
  })

  test('because the case has moved meanwhile leaves nothing', async () => {
    const before = await stage.subjects()
    stage.script.refuseCreate = true
    expect(await stage.postForm([TYPE_PART, fileOf(largePdf(300_000))])).toMatchObject({
      status: 409,
      code: 'invalid_state',
      details: [{ reason: 'case_pending' }],
    })
    await stage.expectNothingLeft(before)
  })

  test.each<[string, string, Buffer]>([
    ['form', FORM_TYPE, formOf([TYPE_PART, fileOf(largePdf(500_000))], '')],
    ['JSON', 'application/json', Buffer.from(`{"content_base64":"${largePdf(600_000).toString('base64')}`)],
  ])(
    'because the caller of a %s hangs up in the middle leaves neither a row nor bytes',
    async (_what, type, body) => {
      const before = await stage.subjects()
      const socket = stage.beginRequest(
        [`POST ${PATH} HTTP/1.1`, `Content-Type: ${type}`, 'Content-Length: 5000000'],
        body,
      )
      await eventually(async () => (await stage.subjects()).length > before.length)
      socket.destroy()
      await eventually(() => stage.script.discarded.length === 1)
      await stage.expectNothingLeft(before)
    },
  )

  test('because the store takes nothing is 503, and works again once the store does', async () => {
    const manager = await stage.bus.jetstreamManager()
    await manager.streams.delete(`OBJ_${BLOB_BUCKET}`)
    expect(await stage.postForm([TYPE_PART, fileOf(largePdf(300_000))])).toMatchObject({
      status: 503,
      code: 'temporarily_unavailable',
    })
    expect(stage.created).toEqual([])
    await makeStreams(stage.bus)
    expect(await stage.postForm([TYPE_PART, fileOf(largePdf(300_000))])).toMatchObject({ status: 201 })
  })
})
