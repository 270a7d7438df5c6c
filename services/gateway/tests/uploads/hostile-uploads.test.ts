import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fileOf, FORM_TYPE, formOf, jsonOf, openUploadFixture, PDF, TYPE_PART } from './fixture.ts'

let fixture: Awaited<ReturnType<typeof openUploadFixture>>
beforeAll(async () => {
  fixture = await openUploadFixture()
})
afterAll(() => fixture.close())

const FORM = formOf([TYPE_PART, fileOf(PDF)])
const JSON_TEXT = Buffer.from(JSON.stringify(jsonOf()))
const FEW = { numRuns: 500 }

/** A body with a few bytes changed, removed or inserted, and perhaps truncated. */
const damaged = (body: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.array(
        fc.tuple(fc.nat(body.length - 1), fc.integer({ min: 0, max: 3 }), fc.uint8Array({ maxLength: 6 })),
        { minLength: 1, maxLength: 4 },
      ),
      fc.option(fc.nat(body.length)),
    )
    .map(([edits, end]) => {
      let bytes = body
      for (const [at, removed, added] of edits)
        bytes = Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])
      return bytes.subarray(0, end ?? bytes.length)
    })

/** Every answer is one that the reference lists for an upload, and every stored byte belongs to a document. */
const expectJudged = async (body: Buffer, type: string) => {
  const answer = await fixture.post(body, type)
  expect([201, 400]).toContain(answer.status)
  if (answer.status === 400) expect(answer.details).not.toEqual([])
}

test.each([
  ['form', FORM, FORM_TYPE],
  ['JSON', JSON_TEXT, 'application/json'],
])(
  'accepts a damaged %s or refuses it with its fault, and leaves nothing but documents',
  async (_what, body, type) => {
    const before = new Set(await fixture.subjects())
    await fc.assert(
      fc.asyncProperty(damaged(body), (bytes) => expectJudged(bytes, type)),
      FEW,
    )
    const kept = new Set(fixture.created.map(({ blob_key }) => blob_key))
    const chunks = (await fixture.subjects()).filter(
      (subject) => subject.includes('.C.') && !before.has(subject),
    )
    expect(chunks.filter((subject) => !kept.has(subject.slice(subject.lastIndexOf('.') + 1)))).toEqual([])
  },
)

test.each([
  ['form', FORM_TYPE],
  ['JSON', 'application/json'],
])('refuses a %s of any bytes', async (_what, type) => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 500 }), (bytes) =>
      expectJudged(Buffer.from(bytes), type),
    ),
    FEW,
  )
})
