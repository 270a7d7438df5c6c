import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '@causeway/dev-env/infrastructure/program-path'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Payment, writePaymentFile } from '../src/bank.ts'

/** Where Debian's package of Tryton has ISO's schemas; no package has a newer one than version 05. */
const INSTALLED = '/usr/lib/python3/dist-packages/trytond/modules/account_payment_sepa/tests'
const schema = join(process.env['ISO_20022_SCHEMAS'] ?? INSTALLED, 'pain.001.001.05.xsd')
const xmllint = findProgram(['xmllint'], process.env['PATH'] ?? '')

/** A file of version 09 as one of version 05. In what the files contain, a date that became a choice is all that differs. */
const asVersion05 = (xml: string): string =>
  xml
    .replaceAll('pain.001.001.09', 'pain.001.001.05')
    .replace(/<ReqdExctnDt><Dt>([^<]*)<\/Dt><\/ReqdExctnDt>/, '<ReqdExctnDt>$1</ReqdExctnDt>')

/** The schema's objections to a file; empty for a valid one. */
const objectionsTo = (xml: string): string => {
  const run = spawnSync(xmllint ?? '', ['--nonet', '--noout', '--schema', schema, '-'], {
    input: asVersion05(xml),
    encoding: 'utf8',
  })
  if (run.error) throw run.error
  return run.status === 0 ? '' : run.stderr
}

/** IBANs with letters and digits, of several lengths. */
const ibans = fc.constantFrom(
  'DE75512108001245126199',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'MT84MALT011000012345MTLCAST001S',
)
const textOf = (maxLength: number) =>
  fc.string({
    unit: fc.constantFrom(...Array.from("AZaz09/-?:().,'+ é")),
    minLength: 1,
    maxLength,
  })
const namesOf = textOf(70).map((text) => `A${text}`.slice(0, 70))
const payments: fc.Arbitrary<Payment[]> = fc
  .array(
    fc.record(
      {
        amountCents: fc.bigInt(1n, 99_999_999_999n),
        iban: ibans,
        name: namesOf,
        reference: textOf(140).map((text) => `R${text}`.slice(0, 140)),
      },
      { requiredKeys: ['amountCents', 'iban', 'name'] },
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map((each) => each.map((payment, index) => ({ ...payment, endToEndId: `PO-${index}` })))

const fileOf = (each: readonly Payment[]) =>
  writePaymentFile({
    messageId: 'PFL-1',
    createdAt: '2026-11-28T23:30:05.000Z',
    executionDate: '2026-11-30',
    debtor: { name: 'Causeway Payments', iban: 'DE93999999990000000001', bic: 'COBADEFFXXX' },
    payments: each,
  })

const missing = xmllint === null || !existsSync(schema)
const title = missing
  ? 'writes files that ISO’s schema accepts (skipped: Debian’s libxml2-utils and tryton-modules-account-payment-sepa)'
  : 'writes files that ISO’s schema accepts for any payments, and would refuse if a part were missing'
;(missing ? test.skip : test)(title, () => {
  fc.assert(
    fc.property(payments, (each) => {
      expect(objectionsTo(fileOf(each))).toBe('')
    }),
    { numRuns: 50 },
  )
  const valid = fileOf([
    {
      endToEndId: 'PO-1',
      amountCents: 1n,
      iban: 'DE75512108001245126199',
      name: 'Acme',
      bic: 'COBADEFFXXX',
    },
  ])
  expect(objectionsTo(valid)).toBe('')
  expect(objectionsTo(valid.replace('<PmtMtd>TRF</PmtMtd>', ''))).toContain('PmtMtd')
  expect(objectionsTo(valid.replace('Ccy="EUR">0.01<', 'Ccy="EUR">0.000001<'))).toContain('InstdAmt')
})
