import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  BankFileError,
  type Payment,
  type PaymentFile,
  readPaymentFile,
  writePaymentFile,
} from '../src/bank.ts'

const IBAN = 'DE75512108001245126199'
const payment = (change: Partial<Payment> = {}): Payment => ({
  endToEndId: 'PO-1',
  amountCents: 123_456n,
  iban: IBAN,
  name: 'Acme',
  ...change,
})
const file = (change: Partial<PaymentFile> = {}): PaymentFile => ({
  messageId: 'PFL-1',
  createdAt: '2026-11-28T23:30:05.000Z',
  executionDate: '2026-11-30',
  debtor: { name: 'Causeway Payments', iban: 'DE93999999990000000001' },
  payments: [payment()],
  ...change,
})

const faultOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    if (error instanceof BankFileError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}
const refuses = (change: Partial<PaymentFile>) => faultOf(() => writePaymentFile(file(change)))
const valuesOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value]) => value)

describe('written payment files', () => {
  test('hold the payments, their number, their sum and the date in UTC', () => {
    const xml = writePaymentFile(
      file({ payments: [payment(), payment({ endToEndId: 'PO-2', amountCents: 1n })] }),
    )
    expect(xml).toContain('xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"')
    expect(valuesOf(xml, 'MsgId')).toEqual(['PFL-1'])
    expect(valuesOf(xml, 'CreDtTm')).toEqual(['2026-11-28T23:30:05'])
    expect(xml).toContain('<ReqdExctnDt><Dt>2026-11-30</Dt></ReqdExctnDt>')
    expect(valuesOf(xml, 'NbOfTxs')).toEqual(['2', '2'])
    expect(valuesOf(xml, 'CtrlSum')).toEqual(['1234.57', '1234.57'])
    expect(xml.match(/<InstdAmt Ccy="EUR">[^<]*/g)).toEqual([
      '<InstdAmt Ccy="EUR">1234.56',
      '<InstdAmt Ccy="EUR">0.01',
    ])
  })

  test('have the same times in a process of another time zone', () => {
    const bank = join(import.meta.dirname, '..', 'src', 'bank.ts')
    const body = { ...file(), payments: [] }
    const script = `import { writePaymentFile } from '${bank}'
      const payment = { endToEndId: 'PO-1', amountCents: 123456n, iban: '${IBAN}', name: 'Acme' }
      process.stdout.write(writePaymentFile({ ...${JSON.stringify(body)}, payments: [payment] }))`
    const env = { ...process.env, TZ: 'Pacific/Kiritimati' }
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
    expect(run.stdout).toBe(writePaymentFile(file()))
  })

  test('keep every id within 35 characters', () => {
    const long = 'X'.repeat(35)
    const xml = writePaymentFile(file({ messageId: long, payments: [payment({ endToEndId: long })] }))
    for (const name of ['MsgId', 'PmtInfId', 'InstrId', 'EndToEndId'])
      expect(valuesOf(xml, name)).toEqual([long])
  })

  test('are read back with the same payments', () => {
    const payments = [
      payment({ bic: 'COBADEFFXXX', reference: "Payout (Nov) 1/2, it's + more" }),
      payment({ endToEndId: 'PO-2', iban: 'NL91ABNA0417164300', reference: 'second' }),
    ]
    expect(readPaymentFile(writePaymentFile(file({ payments })))).toEqual({ messageId: 'PFL-1', payments })
  })

  test('carry the EndToEndId as the text of a payment without a reference', () => {
    expect(readPaymentFile(writePaymentFile(file())).payments).toEqual([payment({ reference: 'PO-1' })])
  })

  test.each([
    ['Zoë Müller & Söhne', 'Zoe Muller + Sohne'],
    ['Łódź\n“Ærø”'.replace(/[“”]/g, ''), 'Lodz AEro'],
    ['Straße_1', 'Strasse-1'],
    ['Ｆｕｌｌ ﬁ', 'Full fi'],
  ])('write %j in the SEPA character set', (name, written) => {
    expect(readPaymentFile(writePaymentFile(file({ payments: [payment({ name })] }))).payments[0]?.name).toBe(
      written,
    )
  })

  test('have the exact sum of any amounts, 10,000 payments included', () => {
    const amounts = fc.array(fc.bigInt(1n, 99_999_999_999n), { minLength: 1, maxLength: 50 })
    const check = (cents: readonly bigint[]) => {
      const payments = cents.map((amountCents, index) => payment({ endToEndId: `PO-${index}`, amountCents }))
      const xml = writePaymentFile(file({ payments }))
      const sum = String(cents.reduce((total, amount) => total + amount, 0n)).padStart(3, '0')
      const expected = `${sum.slice(0, -2)}.${sum.slice(-2)}`
      expect(valuesOf(xml, 'CtrlSum')).toEqual([expected, expected])
      expect(readPaymentFile(xml).payments.map(({ amountCents }) => amountCents)).toEqual(cents)
    }
    fc.assert(fc.property(amounts, check))
    // Added as doubles, these are off by a cent.
    check(Array.from({ length: 10_000 }, (_, index) => 99_999_999_999n - BigInt(index * 5)))
  })

  test('are not written without a payment or with more than 10,000', () => {
    expect(refuses({ payments: [] })).toBe('payments: at least one payment is required.')
    expect(refuses({ payments: Array.from({ length: 10_001 }, () => payment()) })).toBe(
      'payments: at most 10000 payments are allowed.',
    )
  })

  test.each<[string, Partial<Payment>]>([
    ['iban', { iban: 'DE75512108001245126198' }],
    ['iban', { iban: 'DE97' }],
    ['name', { name: '支付' }],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(71) }],
    ['bic', { bic: 'COBA' }],
    ['reference', { reference: 'x'.repeat(141) }],
    ['reference', { reference: '1 € <b>' }],
    ['amountCents', { amountCents: 0n }],
    ['amountCents', { amountCents: 100_000_000_000n }],
    ['endToEndId', { endToEndId: 'po_1' }],
    ['endToEndId', { endToEndId: 'x'.repeat(36) }],
    ['endToEndId', { endToEndId: '/PO' }],
    ['endToEndId', { endToEndId: 'P//O' }],
    ['endToEndId', { endToEndId: '' }],
  ])('are refused for an invalid %s (%j), naming the payment', (field, change) => {
    const message = refuses({ payments: [payment({ endToEndId: 'PO-0' }), payment(change)] })
    expect(message).toMatch(new RegExp(`^payments\\.1\\.${field}: .+\\.$`))
  })

  test('are refused for a BIC of another country than the IBAN, a repeated EndToEndId, and invalid heads', () => {
    expect(refuses({ payments: [payment({ bic: 'ABNANL2A' })] })).toBe(
      'payments.0: country mismatch in BIC/IBAN.',
    )
    expect(refuses({ payments: [payment(), payment()] })).toMatch(
      /^payments: each endToEndId is allowed once/,
    )
    expect(refuses({ messageId: 'x'.repeat(36) })).toMatch(/^messageId: /)
    expect(refuses({ executionDate: '2026-02-30' })).toMatch(/^executionDate: /)
    expect(refuses({ createdAt: 'now' })).toMatch(/^createdAt: /)
    expect(refuses({ debtor: { name: 'Ⱥ', iban: IBAN } })).toMatch(/^debtor\.name: /)
    expect(refuses({ debtor: { name: 'A', iban: IBAN, bic: 'ABNANL2A' } })).toMatch(
      /^debtor: country mismatch/,
    )
  })
})

describe('received payment files', () => {
  const valid = writePaymentFile(file({ payments: [payment(), payment({ endToEndId: 'PO-2' })] }))
  const with03 = valid
    .replaceAll('pain.001.001.09', 'pain.001.001.03')
    .replace('<ReqdExctnDt><Dt>2026-11-30</Dt></ReqdExctnDt>', '<ReqdExctnDt>2026-11-30</ReqdExctnDt>')

  test('are read in version 03 as in version 09', () => {
    expect(readPaymentFile(with03)).toEqual(readPaymentFile(valid))
  })

  test.each([
    [
      'another document',
      valid.replaceAll('pain.001.001.09', 'pain.008.001.08'),
      /^Expected an XML document of pain/,
    ],
    ['no XML', 'payments', /^Expected an XML document of pain\.001\.001\.03 or pain\.001\.001\.09/],
    ['no header', valid.replaceAll('GrpHdr', 'Header'), /^CstmrCdtTrfInitn\/GrpHdr: /],
    ['a wrong sum', valid.replace('2469.12', '2469.13'), /^CtrlSum: the sum of the amounts is required\.$/],
    ['a wrong sum of a batch', valid.replace(/2469\.12(?!.*2469\.12)/, '2469.13'), /^CtrlSum: /],
    ['a wrong number', valid.replace('<NbOfTxs>2', '<NbOfTxs>3'), /^NbOfTxs: the number of the payments, 2,/],
    ['no number', valid.replace('<NbOfTxs>2</NbOfTxs>', ''), /^NbOfTxs: /],
    [
      'no payments',
      valid.replace(/<CdtTrfTxInf>.*<\/CdtTrfTxInf>/, '').replaceAll(/<NbOfTxs>2.*?<\/CtrlSum>/g, ''),
      /^CdtTrfTxInf: /,
    ],
    ['another currency', valid.replace('Ccy="EUR"', 'Ccy="USD"'), /^Amt\/InstdAmt: /],
    ['an amount with three decimals', valid.replace('>1234.56<', '>1234.567<'), /^Amt\/InstdAmt: /],
    ['no name', valid.replace('<Nm>Acme</Nm>', ''), /^Cdtr\/Nm: a value is required\.$/],
    ['no message id', valid.replace('<MsgId>PFL-1</MsgId>', ''), /^MsgId: /],
  ])('are refused for %s', (_, xml, message) => {
    expect(faultOf(() => readPaymentFile(xml))).toMatch(message)
  })
})
