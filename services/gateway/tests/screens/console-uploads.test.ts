import { createLogger, implement, openBlob, refuse, reply, serve } from '@causeway/chassis'
import { testReceiverKeys } from '@causeway/chassis/testing'
import { bankStatements, importFiles, settlements } from '@causeway/contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import {
  newStaffKey,
  openFixture,
  type Answer,
  type Fixture,
  type Replica,
} from '../fixtures/running-gateway.ts'
import { FORM_TYPE, formOf, type FormPart } from '../uploads/fixture.ts'
import { formTokenIn, signIn, type Visitor } from './console-visitor.ts'

const PATH = '/console/bank-statement/file'
const REPORTS = '/console/books/settlement-reports'
const LIMIT = 16 * 1024 * 1024
const EXPECTED_TEXT = 'UTF-8 without control characters other than tabs and line ends'

type Imported = Readonly<{ file: Readonly<{ type: string; blob_key: string; blob_secret: string }> }>

let fixture: Fixture
let gateway: Replica
let finance: Visitor
let token: string
let imported: Imported[] = []
let queries: unknown[] = []
let parts: { key: string; sealed: Buffer }[] = []
const script: { refuse: 'text' | 'busy' | null; refusesParts: boolean } = {
  refuse: null,
  refusesParts: false,
}

const serveLedger = async () => {
  const statements = implement(bankStatements, {
    async importFile({ body }) {
      imported.push(body as Imported)
      if (script.refuse === 'busy') return refuse('temporarily_unavailable')
      if (script.refuse === 'text')
        return refuse('invalid_request', [{ field: 'csv', reason: 'invalid_value', expected: EXPECTED_TEXT }])
      return reply({ imported: 2, duplicates: 1, rejected: [{ line: 3, reason: 'currency: <b>' }] })
    },
  })
  const reports = implement(settlements, {
    async importFile({ query, body }) {
      queries.push(query)
      imported.push(body as Imported)
      if (query.processor === 'nobody')
        return refuse('invalid_request', [{ field: 'processor', reason: 'invalid_value', expected: 'one' }])
      return reply({ imported: 4, duplicates: 5, rejected: [] })
    },
  })
  const files = implement(importFiles, {
    async addPart({ body }) {
      if (script.refusesParts) return refuse('temporarily_unavailable')
      parts.push({ key: body.blob_key, sealed: Buffer.from(body.content_base64, 'base64') })
      return reply({})
    },
  })
  const log = createLogger({ service: 'test', level: 'silent' })
  const options = { clock: fixture.clock, log, checkReplies: true, keys: testReceiverKeys() }
  serve(fixture.bus, [...statements, ...reports, ...files], { ...options, service: 'ledger' })
  await fixture.bus.connection.flush()
}

beforeAll(async () => {
  fixture = await openFixture()
  await serveLedger()
  gateway = await fixture.startReplica()
  const { key } = await newStaffKey(gateway, 'finance')
  finance = await signIn(gateway, key)
  token = formTokenIn(await finance.open('/console'))
})
beforeEach(() => {
  imported = []
  queries = []
  parts = []
  Object.assign(script, { refuse: null, refusesParts: false })
})
afterAll(() => fixture.close())

const fileOf = (content: Buffer | string, fileName = 'statement.csv'): FormPart => ({
  name: 'file',
  fileName,
  type: 'application/octet-stream',
  content,
})
type Sent = Readonly<{
  path?: string
  visitor?: Visitor
  formToken?: string
  headers?: Record<string, string>
}>
const send = (
  raw: Buffer | string,
  { path = PATH, visitor = finance, formToken = token, headers = {} }: Sent = {},
) =>
  gateway.call('POST', `${path}?form_token=${formToken}`, {
    raw,
    headers: { 'content-type': FORM_TYPE, cookie: visitor.cookie, ...headers },
  })
const upload = (part: FormPart, sent?: Sent): Promise<Answer> => send(formOf([part]), sent)

const readStored = async ({ file }: Imported): Promise<Buffer> => {
  const sealed = async function* () {
    yield* parts.filter(({ key }) => key === file.blob_key).map((part) => part.sealed)
  }
  const read: Buffer[] = []
  for await (const bytes of openBlob(sealed(), file.blob_secret)) read.push(bytes)
  return Buffer.concat(read)
}

const expectNothingSent = () => expect([parts.length, imported.length]).toEqual([0, 0])

test.each([
  ['small CSV file', 'csv', Buffer.from('line_id,booked_at\r\n')],
  ['XML file with a byte order mark', 'xml', Buffer.from('\ufeff\r\n <Document/>')],
  ['CSV file of 9 MB', 'csv', Buffer.alloc(9_000_000, 'line,')],
  ['CSV file of 16 MiB', 'csv', Buffer.alloc(LIMIT, 'line,')],
])('stores an uploaded %s in encrypted parts, and imports it', async (_name, type, content) => {
  const { status, text } = await upload(fileOf(content))
  expect(status).toBe(200)
  expect(text).toContain('New lines: 2. Already known: 1. Rejected lines: 1.')
  expect(text).toContain('currency: &lt;b&gt;')
  expect(imported).toMatchObject([{ file: { type } }])
  expect((await readStored(imported[0] as Imported)).equals(content)).toBe(true)
})

test('says what to do about a file that is missing, empty, too large, cut off or not readable', async () => {
  const shown = async (answer: Promise<Answer>, error: string) => {
    const { status, text } = await answer
    expect(text).toContain('<title>Error: Bank statement')
    expect(text).toContain('href="#field-file"')
    expect(text).toContain(error)
    return status
  }
  expect(await shown(upload(fileOf('', '')), 'Choose a file.')).toBe(400)
  expect(await shown(send(formOf([])), 'Choose a file.')).toBe(400)
  expect(await shown(upload(fileOf('')), 'This file is empty.')).toBe(400)
  expect(await shown(send(formOf([fileOf('a'), fileOf('b')])), 'Choose one file.')).toBe(400)
  const cutOff = formOf([fileOf('line_id')], '').subarray(0, -4)
  expect(await shown(send(cutOff), 'The file did not arrive completely')).toBe(400)
  const tooLarge = 'Choose a file of at most 16 MB'
  expect(await shown(upload(fileOf(Buffer.alloc(LIMIT + 1, 'a'))), tooLarge)).toBe(413)
  expect(await shown(upload(fileOf(Buffer.alloc(LIMIT + 70_000, 'a'))), tooLarge)).toBe(413)
  expect(imported).toEqual([])

  script.refuse = 'text'
  expect(await shown(upload(fileOf('PK\u0003\u0004', 'a.xlsx')), 'not a spreadsheet or a PDF')).toBe(400)
  script.refuse = 'busy'
  expect(await shown(upload(fileOf('a')), 'another import is running')).toBe(503)
  script.refusesParts = true
  expect(await shown(upload(fileOf(Buffer.alloc(900_000, 'a'))), 'another import is running')).toBe(503)
})

test('reads no byte of a file that no page of the session has sent', async () => {
  const file = fileOf(Buffer.alloc(900_000, 'a'))
  for (const sent of [
    { formToken: '' },
    { formToken: 'forged' },
    { headers: { 'sec-fetch-site': 'cross-site' } },
    { headers: { origin: 'https://elsewhere.example' } },
  ])
    expect((await upload(file, sent)).status).toBe(403)
  const stranger = await upload(file, { visitor: { ...finance, cookie: '' } })
  expect([stranger.status, stranger.headers['location']]).toEqual([303, '/console/sign-in'])
  const { status } = await send('file=a', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(status).toBe(415)
  expectNothingSent()
})

test('refuses a file of a role that imports none, and records the attempt', async () => {
  const { id, key } = await newStaffKey(gateway, 'viewer')
  const viewer = await signIn(gateway, key)
  const formToken = formTokenIn(await viewer.open('/console'))
  const { status, text } = await upload(fileOf('a'), { visitor: viewer, formToken })
  expect([status, text]).toEqual([403, expect.stringContaining('Your role does not allow this')])
  expectNothingSent()
  expect((await viewer.open('/console/bank-statement')).text).not.toContain('type="file"')
  const { data } = await gateway.operate('GET', '/audit?order=newest&limit=5')
  expect(data.entries).toContainEqual(
    expect.objectContaining({ actor: id, action: 'ledger.bank-statements.import-file' }),
  )
})

const report = (fields: Readonly<Record<string, string>>, content: string | Buffer, isFirst = false) => {
  const others = Object.entries(fields).map(([name, value]) => ({ name, content: value }))
  const file = fileOf(content, 'report.csv')
  return send(formOf(isFirst ? [file, ...others] : [...others, file]), { path: REPORTS })
}

test.each([false, true])(
  'imports a settlement report with the fields of its form, also with the file first (%s)',
  async (isFirst) => {
    const content = Buffer.alloc(3_000_000, 'line,')
    const { status, text } = await report({ processor: ' acme ', from: '2026-11-01' }, content, isFirst)
    expect([status, text]).toEqual([
      200,
      expect.stringContaining('New lines: 4. Already known: 5. Rejected lines: 0.'),
    ])
    expect(queries).toEqual([{ processor: 'acme', from: '2026-11-01' }])
    expect((await readStored(imported[0] as Imported)).equals(content)).toBe(true)
    await report({ processor: 'acme', from: '' }, 'line_id')
    expect(queries.at(-1)).toEqual({ processor: 'acme' })
  },
)

test('keeps the fields of a settlement report that is refused, and requests the file again', async () => {
  const unknown = await report({ processor: 'nobody', from: '2026-11-01' }, 'line_id')
  expect(unknown.status).toBe(400)
  for (const shown of ['Enter one.', 'Choose the file again.', 'value="nobody"', 'value="2026-11-01"'])
    expect(unknown.text).toContain(shown)
  const unnamed = await report({ processor: '' }, 'line_id')
  expect([unnamed.status, unnamed.text]).toEqual([400, expect.stringContaining('Enter a value.')])
  const xml = await report({ processor: 'acme' }, '<Document/>')
  expect([xml.status, xml.text]).toEqual([400, expect.stringContaining('This is an XML file.')])
  expect(queries).toHaveLength(1)
})
