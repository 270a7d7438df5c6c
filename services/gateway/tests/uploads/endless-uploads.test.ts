import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fileOf, FORM_TYPE, formOf, openUploadFixture, PATH, PDF, TYPE_PART } from './fixture.ts'

let fixture: Awaited<ReturnType<typeof openUploadFixture>>
beforeAll(async () => {
  fixture = await openUploadFixture()
})
afterAll(() => fixture.close())

const endless = (start: string) => {
  let sent = false
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      controller.enqueue(Buffer.from(sent ? 'QUJD'.repeat(16_384) : start))
      sent = true
    },
  })
}
test.each([
  ['JSON text', 'application/json', '{"content_base64":"JVBERi0x'],
  ['JSON text next to its file', 'application/json', '{"file_name":"'],
  [
    'form',
    FORM_TYPE,
    formOf([TYPE_PART, fileOf(PDF)], '')
      .subarray(0, -2)
      .toString('latin1'),
  ],
  [
    'form with an unknown file',
    FORM_TYPE,
    formOf([{ ...fileOf(PDF), name: 'extra' }], '')
      .subarray(0, -2)
      .toString('latin1'),
  ],
  [
    'form that is no PDF',
    FORM_TYPE,
    formOf([fileOf(Buffer.from('GIF89a'))], '')
      .subarray(0, -2)
      .toString(),
  ],
])('refuses an endless %s as too large', async (_what, type, start) => {
  const before = await fixture.subjects()
  const answer = await fetch(`${fixture.replica.origin}${PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': type },
    body: endless(start),
    duplex: 'half',
  })
  expect(answer.status).toBe(413)
  await fixture.expectNothingLeft(before)
})
