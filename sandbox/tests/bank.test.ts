import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Clock, createClock } from '@causeway/chassis'
import { readBankStatement, type StatementFormat, writePaymentFile } from '@causeway/rails/bank'
import { describeBankStatements } from '@causeway/rails/tests/bank-statement-suite'
import { request } from 'undici'
import type { Sandbox } from '../src/sandbox.ts'
import { startSandbox } from '../src/testing/index.ts'
import { control } from './control.ts'

const upload = async (sandbox: Sandbox, body: string, type = 'application/xml') => {
  const url = `${sandbox.url()}/control/bank/payments`
  const answer = await request(url, { method: 'POST', headers: { 'content-type': type }, body })
  return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> }
}
const returnPayment = (sandbox: Sandbox, reference: string) =>
  control(sandbox, 'POST', '/control/bank/return', { reference, reason: 'Account closed' })
const statement = async (sandbox: Sandbox, query = '') => {
  const answer = await request(`${sandbox.url()}/control/bank/statement${query}`)
  return { type: answer.headers['content-type'], text: await answer.body.text() }
}
const errorOf = ({ status, body }: Awaited<ReturnType<typeof upload>>) => {
  const error = body['error'] as { code: string; details: unknown[] }
  return { status, code: error.code, details: error.details }
}

const payment = {
  endToEndId: 'PO-1',
  amountCents: 1_050n,
  iban: 'DE75512108001245126199',
  name: 'Acme, Inc.',
}
const paymentFile = (messageId: string, payments = [payment]) =>
  writePaymentFile({
    messageId,
    createdAt: '2026-11-28T10:00:00.000Z',
    executionDate: '2026-11-30',
    debtor: { name: 'Causeway', iban: 'DE93999999990000000001' },
    payments,
  })

describeBankStatements('sandbox', async () => {
  const sandbox = await startSandbox()
  return {
    upload: async (xml) => {
      const { status } = await upload(sandbox, xml)
      expect(status).toBe(201)
    },
    returnPayment: async (reference) => {
      expect((await returnPayment(sandbox, reference)).status).toBe(201)
    },
    statement: async (format: StatementFormat) => (await statement(sandbox, `?format=${format}`)).text,
    stop: () => sandbox.stop(),
  }
})

describe('bank controls', () => {
  let sandbox: Sandbox
  let folder: string
  let clock: Clock

  beforeEach(async () => {
    clock = createClock()
    folder = await mkdtemp(join(tmpdir(), 'causeway-bank-'))
    sandbox = await startSandbox({ dataFolder: folder }, clock)
  })
  afterEach(async () => {
    await sandbox.stop()
    await rm(folder, { recursive: true })
  })

  const lines = async () => readBankStatement((await statement(sandbox, '?format=csv')).text, 'csv').lines

  test('books a payment file and names its lines', async () => {
    const payments = [payment, { ...payment, endToEndId: 'PO-2', amountCents: 7n }]
    const { status, body } = await upload(sandbox, paymentFile('PFL-1', payments), 'text/xml; charset=utf-8')
    expect(status).toBe(201)
    expect(body).toEqual({
      message_id: 'PFL-1',
      booked: 2,
      line_ids: [expect.any(String), expect.any(String)],
    })
    expect(await lines()).toMatchObject([
      { amountMinor: -1_050n, reference: 'PO-1', counterparty: 'Acme, Inc.' },
      { amountMinor: -7n, reference: 'PO-2' },
    ])
    expect((await lines()).map(({ lineId }) => lineId)).toEqual(body['line_ids'])
  })

  test('books a file once, also after a restart', async () => {
    await upload(sandbox, paymentFile('PFL-1'))
    const before = await lines()
    await sandbox.stop()
    sandbox = await startSandbox({ dataFolder: folder }, clock)
    const again = await upload(sandbox, paymentFile('PFL-1', [{ ...payment, endToEndId: 'PO-9' }]))
    expect(errorOf(again)).toMatchObject({ status: 409, code: 'already_booked' })
    expect(await lines()).toEqual(before)
    expect((await returnPayment(sandbox, 'PO-1')).status).toBe(201)
  })

  test.each([
    [
      'a wrong sum',
      paymentFile('P').replace('10.50', '10.51'),
      'CtrlSum: the sum of the amounts is required.',
    ],
    [
      'a wrong number',
      paymentFile('P').replace('<NbOfTxs>1', '<NbOfTxs>2'),
      'NbOfTxs: the number of the payments, 1, is required.',
    ],
    [
      'no pain.001',
      '<html></html>',
      'Expected an XML document of pain.001.001.03 or pain.001.001.09: an element Document in the namespace of one of them.',
    ],
    [
      'an empty body',
      '',
      'Expected an XML document of pain.001.001.03 or pain.001.001.09, well-formed and at most 32 levels deep.',
    ],
    [
      'more than 16 MiB',
      'x'.repeat(16 * 1024 * 1024 + 1),
      'The file is too large: at most 16 MiB are allowed.',
    ],
  ])('books nothing of a file with %s, and says what is expected', async (_, xml, expected) => {
    expect(errorOf(await upload(sandbox, xml))).toEqual({
      status: 400,
      code: 'invalid_request',
      details: [{ field: 'body', reason: 'invalid_value', expected }],
    })
    expect(await lines()).toEqual([])
  })

  test('refuses JSON instead of a payment file, and a text that is not in UTF-8', async () => {
    expect(errorOf(await upload(sandbox, '{}', 'application/json'))).toMatchObject({
      status: 400,
      details: [{ expected: 'Send pain.001 as the body, with the Content-Type application/xml.' }],
    })
    expect(errorOf(await upload(sandbox, paymentFile('P'), 'application/xml; charset=x'))).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    })
  })

  test('returns each payment once, at the time of the clock', async () => {
    await upload(sandbox, paymentFile('PFL-1'))
    await upload(sandbox, paymentFile('PFL-2', [{ ...payment, amountCents: 9n }]))
    const first = await returnPayment(sandbox, 'PO-1')
    expect(first).toEqual({ status: 201, body: { line_id: expect.any(String) } })
    await returnPayment(sandbox, 'PO-1')
    expect(errorOf(await returnPayment(sandbox, 'PO-1'))).toMatchObject({
      status: 409,
      code: 'already_returned',
    })
    expect(errorOf(await returnPayment(sandbox, 'PO-2'))).toMatchObject({
      status: 404,
      code: 'resource_not_found',
    })
    expect(await lines()).toMatchObject([
      { amountMinor: -1_050n },
      { amountMinor: -9n },
      { lineId: first.body['line_id'], amountMinor: 1_050n, reference: 'PO-1', counterparty: 'Acme, Inc.' },
      { amountMinor: 9n },
    ])
  })

  test('books at the simulated time and states the balances, camt.053 by default', async () => {
    clock.advance(86_400_000)
    await upload(sandbox, paymentFile('PFL-1'))
    const { type, text } = await statement(sandbox)
    expect(type).toBe('application/xml; charset=utf-8')
    expect((await statement(sandbox, '?format=csv')).type).toBe('text/csv; charset=utf-8')
    const [line] = readBankStatement(text, 'camt053').lines
    expect(Date.parse(line?.bookedAt ?? '') - Date.now()).toBeGreaterThan(80_000_000)
    expect(text).toContain('<IBAN>DE93999999990000000001</IBAN>')
    const balances = text.matchAll(/<Cd>(OPBD|CLBD)<\/Cd>.*?<Amt Ccy="EUR">([^<]*)<\/Amt><CdtDbtInd>(\w+)/g)
    expect([...balances].map(([, ...found]) => found)).toEqual([
      ['OPBD', '1000000.00', 'CRDT'],
      ['CLBD', '999989.50', 'CRDT'],
    ])
  })

  test.each([
    ['/control/bank/return', 'POST', {}, 'reference'],
    ['/control/bank/return', 'POST', { reference: 'PO-1', reason: 'x'.repeat(106) }, 'reason'],
    ['/control/bank/statement?format=pdf', 'GET', undefined, 'format'],
  ] as const)('refuses a call of %s by field', async (path, method, body, field) => {
    expect(errorOf(await control(sandbox, method, path, body))).toMatchObject({
      status: 400,
      code: 'invalid_request',
      details: [{ field }, ...(Object.keys(body ?? { a: 1 }).length === 0 ? [{ field: 'reason' }] : [])],
    })
  })
})
