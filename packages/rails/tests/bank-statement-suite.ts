import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  type BankLine,
  type PaymentFile,
  readBankStatement,
  type StatementFormat,
  writePaymentFile,
} from '../src/bank.ts'

/** A bank that books payment files. */
export type BankFixture = Readonly<{
  /** Uploads a payment file; resolves when it is booked. */
  upload: (xml: string) => Promise<void>
  /** Sends a payment back. */
  returnPayment: (reference: string) => Promise<void>
  statement: (format: StatementFormat) => Promise<string>
  stop: () => Promise<void>
}>

const FILE: PaymentFile = {
  messageId: 'PFL-1',
  createdAt: '2026-11-28T10:00:00.000Z',
  executionDate: '2026-11-30',
  debtor: { name: 'Causeway Payments', iban: 'DE93999999990000000001' },
  payments: [
    { endToEndId: 'PO-1', amountCents: 123_456n, iban: 'DE75512108001245126199', name: 'Zoë, Müller & Co' },
    {
      endToEndId: 'PO-2',
      amountCents: 1n,
      iban: 'FR7630006000011234567890189',
      name: 'Łódź',
      reference: 'Nov',
    },
    { endToEndId: 'PO-3', amountCents: 99_999_999_999n, iban: 'NL91ABNA0417164300', name: "L'Étoile" },
  ],
}

const PAID = [
  { reference: 'PO-1', amountMinor: -123_456n, currency: 'EUR', counterparty: 'Zoe, Muller + Co' },
  { reference: 'PO-2', amountMinor: -1n, currency: 'EUR', counterparty: 'Lodz' },
  { reference: 'PO-3', amountMinor: -99_999_999_999n, currency: 'EUR', counterparty: "L'Etoile" },
]

/** Guarantees of a bank that reads our payment files and whose statements we read. */
export const describeBankStatements = (name: string, start: () => Promise<BankFixture>): void => {
  describe(`bank statements: ${name}`, () => {
    let fixture: BankFixture

    beforeAll(async () => {
      fixture = await start()
    })
    afterAll(async () => {
      await fixture.stop()
    })

    /** Lines of the statement, after checking that both formats have the same. CSV has no reason of a return. */
    const readBoth = async (): Promise<readonly BankLine[]> => {
      const camt = readBankStatement(await fixture.statement('camt053'), 'camt053')
      const csv = readBankStatement(await fixture.statement('csv'), 'csv')
      const withoutReason = camt.lines.map(({ returnReason: _, ...line }) => line)
      expect({ ...camt, lines: withoutReason }).toEqual(csv)
      expect(camt.rejected).toEqual([])
      return camt.lines
    }

    test('reads an empty statement in both formats', async () => {
      expect(await readBoth()).toEqual([])
    })

    test('finds every payment of an uploaded file in both formats of the statement', async () => {
      await fixture.upload(writePaymentFile(FILE))
      const lines = await readBoth()
      expect(lines).toMatchObject(PAID)
      expect(new Set(lines.map(({ lineId }) => lineId)).size).toBe(3)
    })

    test('finds a returned payment as a credit with its reference and recipient', async () => {
      const before = await readBoth()
      await fixture.returnPayment('PO-1')
      const after = await readBoth()
      expect(after.slice(0, 3)).toEqual(before)
      expect(after.slice(3)).toMatchObject([
        { ...PAID[0], amountMinor: 123_456n, returnReason: expect.any(String) },
      ])
    })
  })
}
