import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { fileOf, largePdf, openUploadFixture, PDF, TYPE_PART } from '../uploads/fixture.ts'

let fixture: Awaited<ReturnType<typeof openUploadFixture>>
beforeAll(async () => {
  fixture = await openUploadFixture()
})
beforeEach(() => fixture.forget())
afterAll(() => fixture.close())

describe('a download', () => {
  test('is an attachment that is not cached, sniffed or run', async () => {
    await fixture.postForm([TYPE_PART, fileOf(PDF, 'März "1".pdf')])
    const id = fixture.created[0]?.document.document_id ?? ''
    const answer = await fixture.replica.call('GET', `/downloads/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(PDF.toString())
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'content-disposition': expect.stringMatching(/^attachment; filename=".*"; filename\*=UTF-8''M%C3%A4rz/),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const head = await fixture.replica.call('HEAD', `/downloads/${id}`)
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(PDF.length), ''])
  })

  test('is 404 for an unknown token', async () => {
    for (const token of ['x', 'doc_1.2.3', '%00', '%ff'])
      expect(await fixture.replica.call('GET', `/downloads/${token}`)).toMatchObject({
        status: 404,
        code: 'resource_not_found',
      })
  })

  test('refuses to send a download whose bytes were altered', async () => {
    await fixture.postForm([TYPE_PART, fileOf(largePdf(200_000))])
    const created = fixture.created[0] as (typeof fixture.created)[number]
    const stored: Uint8Array[] = []
    for await (const piece of (await fixture.store.get(created.blob_key)) ?? []) stored.push(piece)
    const [first = new Uint8Array()] = stored
    first[100] = (first[100] ?? 0) ^ 1
    await fixture.store.remove(created.blob_key)
    await fixture.store.put(
      created.blob_key,
      (async function* () {
        yield* stored
      })(),
    )
    const answer = await fixture.replica.call('GET', `/downloads/${created.document.document_id}`)
    expect(answer).toMatchObject({ status: 500, code: 'internal_error' })
  })
})
