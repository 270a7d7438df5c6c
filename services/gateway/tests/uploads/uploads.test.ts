import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createBlobs } from '@causeway/chassis'
import { MAX_DOCUMENT_BYTES, UploadedDocumentType } from '@causeway/contracts'
import {
  fileOf,
  FORM_TYPE,
  formOf,
  jsonOf,
  largePdf,
  openUploadFixture,
  PATH,
  PDF,
  TYPE_PART,
  UNKNOWN,
  type FormPart,
} from './fixture.ts'

let fixture: Awaited<ReturnType<typeof openUploadFixture>>
beforeAll(async () => {
  fixture = await openUploadFixture()
})
beforeEach(() => fixture.forget())
afterAll(() => fixture.close())

const bytesOf = async ({ blob_key, blob_secret }: (typeof fixture.created)[number]) => {
  const blobs = createBlobs(fixture.store)
  const all: Buffer[] = []
  for await (const piece of (await blobs.read(blob_key, blob_secret)) ?? []) all.push(piece)
  return Buffer.concat(all)
}
const refused = (...details: unknown[]) => ({ status: 400, code: 'invalid_request', details })

describe('an upload', () => {
  test.each<[string, () => ReturnType<typeof fixture.postForm>]>([
    ['as a form', () => fixture.postForm([TYPE_PART, fileOf(PDF, '/tmp/März.pdf')])],
    ['as a form with the file first', () => fixture.postForm([fileOf(PDF, 'März.pdf'), TYPE_PART])],
    ['as JSON', () => fixture.postJson(jsonOf({ file_name: 'C:\\März.pdf' }))],
    [
      'as JSON with escapes and the file first',
      () =>
        fixture.post(
          `{"content_base64":"${PDF.toString('base64').replace('V', '\\u0056')}","file_name":"M\\u00e4rz.pdf","document_type":"bank_statement"}`,
          'application/json; charset=utf-8',
        ),
    ],
  ])(
    'is stored encrypted, and created with its detected type, size and bare file name: %s',
    async (_how, send) => {
      const answer = await send()
      expect(answer.status).toBe(201)
      const [created] = fixture.created
      expect(answer.json).toMatchObject({ api_version: '2026-11-01', data: { document: created?.document } })
      expect(created?.document).toMatchObject({
        document_type: 'bank_statement',
        file_name: 'März.pdf',
        mime_type: 'application/pdf',
        file_size_bytes: PDF.length,
      })
      expect(await bytesOf(created as NonNullable<typeof created>)).toEqual(PDF)
    },
  )

  test('is accepted with exactly 10 MiB either way, and can be read byte for byte', async () => {
    const pdf = largePdf(MAX_DOCUMENT_BYTES)
    const asForm = await fixture.replica.call('POST', PATH, {
      token: fixture.token,
      raw: formOf([TYPE_PART, fileOf(pdf)]),
      headers: { 'content-type': FORM_TYPE },
    })
    const asJson = await fixture.replica.call('POST', PATH, {
      token: fixture.token,
      raw: JSON.stringify(jsonOf({ content_base64: pdf.toString('base64') })).replaceAll('/', '\\/'),
      headers: { 'content-type': 'application/json' },
    })
    expect([asForm.status, asJson.status]).toEqual([201, 201])
    for (const created of fixture.created) expect((await bytesOf(created)).equals(pdf)).toBe(true)
  })

  test('is refused with one more byte either way, and leaves nothing', async () => {
    const before = await fixture.subjects()
    const pdf = largePdf(MAX_DOCUMENT_BYTES + 1)
    const asForm = await fixture.postForm([TYPE_PART, fileOf(pdf)])
    const asJson = await fixture.postJson(jsonOf({ content_base64: pdf.toString('base64') }))
    for (const answer of [asForm, asJson])
      expect(answer).toMatchObject({
        status: 413,
        code: 'payload_too_large',
        details: [{ field: 'body', reason: 'too_big', expected: 'at most 10 MiB in a file' }],
      })
    await fixture.expectNothingLeft(before)
  })
})

type Detail = Readonly<{ field: string; reason: string; allowed?: readonly string[]; expected?: string }>

const UNKNOWN_TYPE: Detail = {
  field: 'document_type',
  reason: 'invalid_value',
  allowed: UploadedDocumentType.options,
}
const EMPTY_FILE: Detail = { field: 'file', reason: 'too_small', expected: 'a file that is not empty' }
const UNKNOWN_FILE: Detail = {
  field: 'file',
  reason: 'unsupported_type',
  expected: 'a PDF, PNG or JPEG, recognised by its first bytes and not by its name',
}
const NO_FORM: Detail = { field: 'body', reason: 'invalid_value', expected: 'multipart/form-data (RFC 7578)' }

/** A PNG of 45 bytes, whose header alone states its size. */
const pngOf = (width: number, height: number): Buffer => {
  const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000802000000', 'hex')
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return Buffer.concat([png, Buffer.alloc(16)])
}
const TOO_MANY_PIXELS: Detail = { field: 'file', reason: 'too_big', expected: 'at most 100000000 pixels' }

describe('an image', () => {
  test('is refused with 30,000 by 30,000 pixels as a form and as JSON, and leaves no bytes', async () => {
    const before = await fixture.subjects()
    const image = pngOf(30_000, 30_000)
    expect(await fixture.postForm([TYPE_PART, fileOf(image, 'passport.png')])).toMatchObject(
      refused(TOO_MANY_PIXELS),
    )
    expect(await fixture.postJson(jsonOf({ content_base64: image.toString('base64') }))).toMatchObject(
      refused(TOO_MANY_PIXELS),
    )
    expect(fixture.script.discarded).toHaveLength(2)
    await fixture.expectNothingLeft(before)
  })

  test('is accepted with 10,000 by 10,000 pixels', async () => {
    const answer = await fixture.postForm([TYPE_PART, fileOf(pngOf(10_000, 10_000), 'passport.png')])
    expect(answer.status).toBe(201)
    expect(fixture.created[0]?.document).toMatchObject({ mime_type: 'image/png' })
  })
})

describe('a bad upload', () => {
  const file = fileOf(PDF)
  test.each<[string, FormPart[], Detail]>([
    ['no type', [file], { field: 'document_type', reason: 'required' }],
    ['an unknown type', [{ ...TYPE_PART, content: 'passport' }, file], UNKNOWN_TYPE],
    [
      'another field alone',
      [{ name: 'note', content: 'x' }, file],
      { field: 'document_type', reason: 'required' },
    ],
    [
      'two types',
      [TYPE_PART, TYPE_PART, file],
      { field: 'document_type', reason: 'invalid_value', expected: 'one part' },
    ],
    ['no file', [TYPE_PART], { field: 'file', reason: 'required' }],
    ['an empty file', [TYPE_PART, fileOf(Buffer.alloc(0))], EMPTY_FILE],
    ['two files', [TYPE_PART, file, file], { field: 'file', reason: 'too_many' }],
    [
      'a text instead of a file',
      [TYPE_PART, { name: 'file', content: 'x' }],
      { field: 'file', reason: 'invalid_type' },
    ],
    [
      'a further field',
      [TYPE_PART, { name: 'note', content: 'x' }, file],
      { field: 'note', reason: 'unknown_field' },
    ],
    [
      'a further file',
      [TYPE_PART, file, { ...file, name: 'extra' }],
      { field: 'extra', reason: 'unknown_field' },
    ],
    [
      'a program that is called PDF',
      [TYPE_PART, { ...fileOf(Buffer.from('MZ\u0090 program')), type: 'application/pdf' }],
      UNKNOWN_FILE,
    ],
  ])(
    'gets the same refusal for a customer that does not exist, and leaves nothing: form with %s',
    async (_what, parts, detail) => {
      const before = await fixture.subjects()
      for (const path of [PATH, UNKNOWN]) {
        const answer = await fixture.postForm(parts, path)
        expect(answer).toMatchObject({ status: 400, code: 'invalid_request' })
        expect(answer.details).toContainEqual(detail)
      }
      await fixture.expectNothingLeft(before)
    },
  )

  test.each<[string, Record<string, unknown>, Detail]>([
    ['no type', { document_type: undefined }, { field: 'document_type', reason: 'required' }],
    ['an unknown type', { document_type: 'passport' }, UNKNOWN_TYPE],
    ['no name', { file_name: undefined }, { field: 'file_name', reason: 'required' }],
    ['no content', { content_base64: undefined }, { field: 'content_base64', reason: 'required' }],
    ['content that is no text', { content_base64: 5 }, { field: 'content_base64', reason: 'invalid_type' }],
    [
      'content that is no base64',
      { content_base64: 'JVBERi0x*' },
      {
        field: 'content_base64',
        reason: 'invalid_value',
        expected: 'base64 with padding, without line ends (RFC 4648)',
      },
    ],
    ['no byte of content', { content_base64: '' }, EMPTY_FILE],
    ['GIF', { content_base64: Buffer.from('GIF89a').toString('base64') }, UNKNOWN_FILE],
    ['a further field', { note: 'x' }, { field: 'note', reason: 'unknown_field' }],
  ])(
    'gets the same refusal for a customer that does not exist, and leaves nothing: JSON with %s',
    async (_what, over, detail) => {
      const before = await fixture.subjects()
      for (const path of [PATH, UNKNOWN])
        expect(await fixture.postJson(jsonOf(over), path)).toMatchObject(refused(detail))
      await fixture.expectNothingLeft(before)
    },
  )

  test.each<[string, string, string | Buffer, unknown]>([
    [
      'JSON with a key twice',
      'application/json',
      `{"content_base64":"QQ==","content_base64":"QQ=="}`,
      { field: 'content_base64', reason: 'invalid_json' },
    ],
    [
      'JSON that breaks off',
      'application/json',
      '{"content_base64":"JVBERi0xLjc',
      { field: 'body', reason: 'invalid_json' },
    ],
    [
      'a list',
      'application/json',
      '["content_base64"]',
      { field: 'body', reason: 'invalid_type', expected: 'an object' },
    ],
    ['a form that breaks off', FORM_TYPE, formOf([TYPE_PART, fileOf(PDF)], ''), NO_FORM],
    ['a form without a boundary', 'multipart/form-data', 'x', NO_FORM],
  ])('is refused and leaves nothing when it is %s', async (_what, type, body, detail) => {
    const before = await fixture.subjects()
    expect(await fixture.post(body, type)).toMatchObject(refused(detail))
    await fixture.expectNothingLeft(before)
  })

  test('is refused without a body, with the missing fields', async () => {
    const answer = await fixture.replica.call('POST', PATH, { token: fixture.token })
    expect(answer).toMatchObject(
      refused({ field: 'document_type', reason: 'required' }, { field: 'file', reason: 'required' }),
    )
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/pdf'])(
    'is refused as an unsupported media type with %s',
    async (type) => {
      expect(await fixture.post(PDF, type)).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    },
  )
})
