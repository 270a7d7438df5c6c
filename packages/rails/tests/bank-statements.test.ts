import { describe, expect, test } from '@jest/globals'
import { CURRENCIES } from '@causeway/contracts'
import fc from 'fast-check'
import { BankFileError, type BankLine, readBankStatement } from '../src/bank.ts'
import { camt, type CamtVersion, toCsv, toEntry } from './bank-samples.ts'

const HEADER = 'line_id,booked_at,amount_cents,currency,reference,counterparty'
const VERSIONS = ['02', '08'] as const
const status = (version: CamtVersion, code: string) =>
  `<Sts>${version === '08' ? `<Cd>${code}</Cd>` : code}</Sts>`
const readCamt = (version: CamtVersion, ...entries: string[]) =>
  readBankStatement(camt(version, ...entries), 'camt053')

/** The parts of an entry that every entry needs; `rest` follows them. */
const entry = (
  version: CamtVersion,
  { amount = '<Amt Ccy="EUR">10.00</Amt>', direction = 'CRDT', code = 'BOOK', rest = '' },
) => `<Ntry>${amount}<CdtDbtInd>${direction}</CdtDbtInd>${status(version, code)}
  <BookgDt><Dt>2026-11-27</Dt></BookgDt>${rest}</Ntry>`
const party = (version: CamtVersion, role: string, name: string) =>
  version === '08' ? `<${role}><Pty><Nm>${name}</Nm></Pty></${role}>` : `<${role}><Nm>${name}</Nm></${role}>`
const parties = (version: CamtVersion) =>
  `<RltdPties>${party(version, 'Dbtr', 'Payer')}${party(version, 'Cdtr', 'Payee')}</RltdPties>`

const faultOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof BankFileError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

describe.each(VERSIONS)('camt.053.001.%s', (version) => {
  const of = (change: Parameters<typeof entry>[1]) => entry(version, change)

  test('reads a credit with its date, id, reference and payer', () => {
    const rest = `<NtryRef>7</NtryRef><AcctSvcrRef>BANK 1</AcctSvcrRef><NtryDtls><TxDtls>
      <Refs><EndToEndId>PO-1</EndToEndId></Refs>${parties(version)}
      <RmtInf><Ustrd>ignored</Ustrd></RmtInf></TxDtls></NtryDtls>`
    expect(readCamt(version, of({ rest }))).toEqual({
      lines: [
        {
          lineId: 'BANK 1',
          bookedAt: '2026-11-27T00:00:00.000Z',
          amountMinor: 1_000n,
          currency: 'EUR',
          reference: 'PO-1',
          counterparty: 'Payer',
        },
      ],
      rejected: [],
    })
  })

  test('reads a debit with the payee, and remittance information where no EndToEndId was provided', () => {
    const rest = `<NtryRef>7</NtryRef><NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
      ${parties(version)}<RmtInf><Ustrd>Invoice &#49;2</Ustrd><Ustrd>A &amp; B</Ustrd></RmtInf></TxDtls></NtryDtls>`
    expect(readCamt(version, of({ direction: 'DBIT', rest })).lines).toMatchObject([
      { lineId: '7', amountMinor: -1_000n, reference: 'Invoice 12 A & B', counterparty: 'Payee' },
    ])
  })

  test('keeps the direction of a reversal and names the other party of what it reverses', () => {
    const rest = `<RvslInd>true</RvslInd><AcctSvcrRef>R</AcctSvcrRef><NtryDtls><TxDtls>${parties(version)}
      </TxDtls></NtryDtls>`
    expect(readCamt(version, of({ direction: 'CRDT', rest })).lines).toMatchObject([
      { amountMinor: 1_000n, counterparty: 'Payee' },
    ])
    expect(readCamt(version, of({ direction: 'DBIT', rest })).lines).toMatchObject([
      { amountMinor: -1_000n, counterparty: 'Payer' },
    ])
  })

  test.each([
    ['<Rsn><Cd>AC04</Cd></Rsn><AddtlInf>Account closed</AddtlInf>', { returnReason: 'Account closed' }],
    ['<Rsn><Cd>AC04</Cd></Rsn>', { returnReason: 'AC04' }],
    ['<Rsn><Prtry>Closed</Prtry></Rsn>', { returnReason: 'Closed' }],
  ])('reads why a payment came back from %s', (information, expected) => {
    const rest = `<AcctSvcrRef>R</AcctSvcrRef><NtryDtls><TxDtls><RtrInf>${information}</RtrInf></TxDtls></NtryDtls>`
    expect(readCamt(version, of({ rest })).lines).toMatchObject([expected])
  })

  const detail = (id: string, amount: string, currency = 'EUR', direction = '') => {
    const stated = `<Amt Ccy="${currency}">${amount}</Amt>`
    const placed = version === '08' ? stated : `<AmtDtls><TxAmt>${stated}</TxAmt></AmtDtls>`
    return `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${placed}${direction}</TxDtls>`
  }
  const batch = (...details: string[]) =>
    of({ rest: `<AcctSvcrRef>B</AcctSvcrRef><NtryDtls>${details.join('')}</NtryDtls>` })

  test('reads one line for each transaction of a batch', () => {
    expect(readCamt(version, batch(detail('A', '7.5'), detail('B', '2.50'))).lines).toMatchObject([
      { lineId: 'B/1', amountMinor: 750n, reference: 'A' },
      { lineId: 'B/2', amountMinor: 250n, reference: 'B' },
    ])
    const back = detail('C', '1', 'EUR', '<CdtDbtInd>DBIT</CdtDbtInd>')
    expect(readCamt(version, batch(detail('A', '11'), back)).lines).toMatchObject([
      { amountMinor: 1_100n },
      { amountMinor: -100n },
    ])
  })

  test.each([
    ['do not sum to the entry', [detail('A', '7.5'), detail('B', '2.49')]],
    ['are in another currency', [detail('A', '7.5'), detail('B', '2.50', 'USD')]],
    ['are missing', [detail('A', '10'), '<TxDtls/>']],
  ])('reads one line for a batch whose amounts %s', (_, details) => {
    expect(readCamt(version, batch(...details))).toMatchObject({
      lines: [{ lineId: 'B', amountMinor: 1_000n, reference: null, counterparty: null }],
      rejected: [],
    })
  })

  test.each([
    [{ code: 'PDNG' }, 'Sts: the entry is not booked (BOOK).'],
    [{ code: '' }, 'Sts: a status is required.'],
    [{ direction: 'credit' }, 'CdtDbtInd: CRDT or DBIT is required.'],
    [{ amount: '<Amt Ccy="EUR">1.234</Amt>' }, 'Amt: '],
    [{ amount: '<Amt Ccy="JPY">1.5</Amt>' }, 'Amt: '],
    [{ amount: '<Amt Ccy="XXX">1</Amt>' }, 'Amt: '],
    [{ amount: '<Amt>1</Amt>' }, 'Amt: '],
    [{ amount: '<Amt Ccy="EUR">0.00</Amt>' }, 'Amt: '],
    [{ amount: '<Amt Ccy="EUR">-1</Amt>' }, 'Amt: '],
    [{ amount: '<Amt Ccy="EUR">1e3</Amt>' }, 'Amt: '],
    [{ rest: '</Ntry><Ntry>' }, 'Sts: '],
    [{ rest: `<AcctSvcrRef>${'x'.repeat(256)}</AcctSvcrRef>` }, 'AcctSvcrRef or NtryRef: '],
  ])('rejects an entry with %j by its number, and reads the others', (change, reason) => {
    const { lines, rejected } = readCamt(version, of({}), of(change))
    expect(lines[0]).toMatchObject({ amountMinor: 1_000n })
    expect(rejected).toHaveLength(1)
    expect(rejected[0]?.reason.slice(0, reason.length)).toBe(reason)
    expect(rejected[0]?.line).toBe('rest' in change && change.rest.startsWith('</') ? 3 : 2)
  })

  test.each(['', '<BookgDt><Dt>2026-02-30</Dt></BookgDt>', '<BookgDt><DtTm>28.11.2026</DtTm></BookgDt>'])(
    'rejects an entry with the booking date "%s"',
    (date) => {
      const text = of({}).replace('<BookgDt><Dt>2026-11-27</Dt></BookgDt>', date)
      expect(readCamt(version, text).rejected).toEqual([
        { line: 1, reason: expect.stringMatching(/^BookgDt: /) },
      ])
    },
  )

  test.each([
    ['2026-11-27T23:30:00+02:00', '2026-11-27T21:30:00.000Z'],
    ['2026-11-27T23:30:00.5', '2026-11-27T23:30:00.500Z'],
    ['2026-11-27T23:30:00Z', '2026-11-27T23:30:00.000Z'],
  ])('reads the booking time %s', (time, instant) => {
    const text = of({}).replace('<Dt>2026-11-27</Dt>', `<DtTm>${time}</DtTm>`)
    expect(readCamt(version, text).lines).toMatchObject([{ bookedAt: instant }])
  })

  test.each([
    ['JPY', '1500', 1_500n],
    ['JPY', '1500.00', 1_500n],
    ['JOD', '1.234', 1_234n],
    ['JOD', '1.2', 1_200n],
    ['EUR', '90071992547409.93', 9_007_199_254_740_993n],
  ])('reads %s %s exactly', (currency, amount, amountMinor) => {
    const found = readCamt(version, of({ amount: `<Amt Ccy="${currency}">${amount}</Amt>` }))
    expect(found.lines).toMatchObject([{ currency, amountMinor }])
  })

  test('derives the same id of an entry without one from every statement, and two of identical entries', () => {
    const [one, other] = [of({}), of({ direction: 'DBIT' })]
    const [a, b, c] = readCamt(version, one, one, other).lines.map(({ lineId }) => lineId)
    expect(a).toMatch(/^[0-9a-f]{64}-1$/)
    expect(b).toBe(a?.replace(/1$/, '2'))
    expect(c).not.toBe(a)
    expect(readCamt(version, other, one, one).lines.map(({ lineId }) => lineId)).toEqual([c, a, b])
  })

  test('treats NONREF as no id, and rejects an entry with the id of an earlier one', () => {
    const rest = (id: string) => of({ rest: `<AcctSvcrRef>${id}</AcctSvcrRef>` })
    expect(readCamt(version, rest('NONREF'), rest('NONREF')).lines).toHaveLength(2)
    expect(readCamt(version, rest('X'), rest('X'))).toMatchObject({
      lines: [{ lineId: 'X' }],
      rejected: [{ line: 2, reason: 'AcctSvcrRef or NtryRef: an earlier entry has the same id.' }],
    })
  })

  test('reads a document whose names have a prefix and whose text is CDATA', () => {
    const rest = '<NtryDtls><TxDtls><RmtInf><Ustrd><![CDATA[A &amp; B]]></Ustrd></RmtInf></TxDtls></NtryDtls>'
    const text = camt(version, of({ rest }))
      .replace(/<(\/?)(?=[A-Z])/g, '<$1c:')
      .replace('xmlns=', 'xmlns:c=')
      .replace('<![c:CDATA', '<![CDATA')
    expect(readBankStatement(text, 'camt053').lines).toMatchObject([{ reference: 'A &amp; B' }])
  })
})

describe('statements as CSV', () => {
  const read = (...rows: string[]) => readBankStatement([HEADER, ...rows].join('\n'), 'csv')

  test.each([
    ['a,2026-11-27,1.5,EUR,,', 'amount_cents: '],
    ['a,2026-11-27,0,EUR,,', 'amount_cents: '],
    ['a,2026-11-27,1e3,EUR,,', 'amount_cents: '],
    ['a,2026-11-27,,EUR,,', 'amount_cents: '],
    ['a,27.11.2026,1,EUR,,', 'booked_at: '],
    ['a,2026-11-27T25:00:00Z,1,EUR,,', 'booked_at: '],
    ['a,2026-11-27,1,eur,,', 'currency: '],
    [',2026-11-27,1,EUR,,', 'line_id: '],
    [`${'x'.repeat(256)},2026-11-27,1,EUR,,`, 'line_id: '],
    ['b,2026-11-27,1,EUR,,', 'line_id: an earlier line has the same id.'],
    ['a,2026-11-27,1,EUR', 'line: 6 cells are required'],
    ['a,2026-11-27,1,EUR,\0,', 'line_id, reference or counterparty: '],
  ])('rejects %j by its line, and reads the others', (row, reason) => {
    const found = read('b,2026-11-27,-7,EUR,,', row)
    expect(found.lines).toMatchObject([{ lineId: 'b', amountMinor: -7n, reference: null }])
    expect(found.rejected).toEqual([{ line: 3, reason: expect.stringMatching(`^${reason}`) }])
  })

  test('reads columns in any order, ignores others and cuts text of more than 500 characters', () => {
    const text = `\ufeffnote,counterparty,${HEADER.replace(',counterparty', '')}\r\nx,${'é'.repeat(501)},a,2026-11-27,1,EUR,r`
    expect(readBankStatement(text, 'csv').lines).toMatchObject([
      { lineId: 'a', counterparty: 'é'.repeat(500), reference: 'r' },
    ])
  })

  test('reads 100,000 lines and refuses more', () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `${index},2026-11-27,1,EUR,,`)
    expect(read(...rows).lines).toHaveLength(100_000)
    expect(faultOf(() => read(...rows, 'x,2026-11-27,1,EUR,,'))).toBe(
      'The statement is too long: at most 100,000 lines are allowed.',
    )
  })
})

/** Known ids must not change: a file that is sent again would be imported twice. */
test('derives the ids of entries without one from all their content, as earlier versions did', () => {
  const sample = `<Ntry><Amt Ccy="EUR">2.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-27</Dt></BookgDt><ns:Nm a=" 1 ">x &amp;<!-- c --> y <B/><![CDATA[ z ]]></ns:Nm></Ntry>`
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08" xmlns:ns="u"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE93</IBAN></Id></Acct>${sample}</Stmt><Stmt>${sample}</Stmt></BkToCstmrStmt></Document>`
  expect(readBankStatement(text, 'camt053').lines.map(({ lineId }) => lineId)).toEqual([
    'fb1692f36ea238ee142aa312bae0492a466bfbbbbe36243afe903f8a107ed2d3-1',
    'c6e9a89530b8fe66f55d1e934a5671d145352f548b578d55027747b89db78cfc-1',
  ])
})

test('reads lines the same wherever the text is cut for reading', () => {
  const written = Array.from({ length: 500 }, (_, at) => ({
    lineId: `id ${at}${'x'.repeat(at % 97)}`,
    bookedAt: '2026-11-27T00:00:00.000Z',
    amountMinor: BigInt(at + 1),
    currency: 'EUR',
    reference: `"a", & b ${at}`,
    counterparty: null,
  }))
  const text = camt('08', ...written.map((line) => toEntry('08', line)))
  expect(readBankStatement(text, 'camt053')).toEqual({ lines: written, rejected: [] })
  expect(readBankStatement(toCsv(written), 'csv')).toEqual({ lines: written, rejected: [] })
})

test('refuses an entry of more than 2 Mi characters', () => {
  const text = camt('08', entry('08', { rest: `<AddtlNtryInf>${'x'.repeat(2 ** 21)}</AddtlNtryInf>` }))
  expect(faultOf(() => readBankStatement(text, 'camt053'))).toBe(
    'An element is too long: at most 2097152 characters are allowed.',
  )
})

describe('texts that are no statement', () => {
  const CAMT = 'Expected an XML document of camt.053.001.02 or camt.053.001.08'
  const valid = camt('08', entry('08', {}))
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(1_000)}">]>`

  test.each([
    ['empty', '', CAMT],
    ['HTML', '<!doctype html><html><body>Sign in</body></html>', `${CAMT}, without a DOCTYPE.`],
    ['HTML without a DOCTYPE', '<html><body>Sign in</body></html>', `${CAMT}: an element Document`],
    ['CSV', HEADER, CAMT],
    [
      'a DOCTYPE',
      valid.replace('<Document', '<!DOCTYPE Document SYSTEM "file:///etc/passwd"><Document'),
      `${CAMT}, without`,
    ],
    [
      'an entity bomb',
      valid.replace('<Document', `${bomb}<Document`).replace('STMT1', '&b;'),
      `${CAMT}, without`,
    ],
    ['an unknown entity', valid.replace('STMT1', '&b;'), `${CAMT}, well-formed`],
    ['an entity named as a property', valid.replace('STMT1', '&constructor;'), `${CAMT}, well-formed`],
    ['a numbered NUL', valid.replace('STMT1', '&#0;'), `${CAMT}, well-formed`],
    ['a number beyond Unicode', valid.replace('STMT1', '&#x110000;'), `${CAMT}, well-formed`],
    ['a NUL', valid.replace('STMT1', '\0'), `${CAMT}; the text has characters`],
    ['a lone surrogate', valid.replace('STMT1', '\ud800'), `${CAMT}; the text has characters`],
    ['an element named __proto__', valid.replace('<Ntry>', '<__proto__/><Ntry>'), `${CAMT}, well-formed`],
    [
      '100 levels',
      valid.replace('STMT1', `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`),
      `${CAMT}, well-formed`,
    ],
    ['cut off after an entry', valid.slice(0, valid.indexOf('</Stmt>')), `${CAMT}, well-formed`],
    ['a wrong end', valid.replace('</BookgDt>', '</ValDt>'), `${CAMT}, well-formed`],
    [
      '17 MiB',
      valid.replace('STMT1', 'x'.repeat(17_000_000)),
      'The file is too large: at most 16 MiB are allowed.',
    ],
    ['another version', valid.replace('camt.053.001.08', 'camt.053.001.03'), `${CAMT}: an element Document`],
    ['another message', valid.replace('camt.053.001.08', 'pain.001.001.09'), `${CAMT}: an element Document`],
  ])('refuses camt.053 that is %s, and says what is expected', (_, text, message) => {
    expect(faultOf(() => readBankStatement(text, 'camt053')).slice(0, message.length)).toBe(message)
  })

  test.each([
    ['empty', '', 'Expected CSV'],
    ['HTML', '<!doctype html><html></html>', 'Expected CSV'],
    ['without a column', HEADER.replace('currency,', ''), 'Expected CSV'],
    ['with an open quote', `${HEADER}\n"a,2026-11-27,1,EUR,,`, 'Expected CSV'],
    ['17 MiB', 'x'.repeat(17_000_000), 'The file is too large: at most 16 MiB are allowed.'],
  ])('refuses CSV that is %s, and says what is expected', (_, text, message) => {
    expect(faultOf(() => readBankStatement(text, 'csv')).slice(0, message.length)).toBe(message)
  })
})

describe('any lines', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((text) => text.replace(/[\s\0-\x1f\x7f\ufffe\uffff]+/gu, ' ').trim())
    .filter((text) => text !== '' && !/^(?:NOTPROVIDED|NONREF)$/i.test(text))
  const line: fc.Arbitrary<BankLine> = fc.record({
    lineId: word,
    bookedAt: fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    amountMinor: fc.bigInt(-(10n ** 15n), 10n ** 15n).filter((amount) => amount !== 0n),
    currency: fc.constantFrom(...CURRENCIES),
    reference: fc.option(word),
    counterparty: fc.option(word),
  })
  const lines = fc.uniqueArray(line, { selector: ({ lineId }) => lineId, maxLength: 20 })

  test('are the same after they were written as CSV and read', () => {
    fc.assert(
      fc.property(lines, (written) => {
        expect(readBankStatement(toCsv(written), 'csv')).toEqual({ lines: written, rejected: [] })
      }),
    )
  })

  test.each(VERSIONS)('are the same after they were written as camt.053.001.%s and read', (version) => {
    fc.assert(
      fc.property(lines, (written) => {
        const text = camt(version, ...written.map((one) => toEntry(version, one)))
        expect(readBankStatement(text, 'camt053')).toEqual({ lines: written, rejected: [] })
      }),
    )
  })
})
