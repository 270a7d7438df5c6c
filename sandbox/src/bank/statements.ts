import { formatMinorUnits } from '@causeway/contracts'
import { STATEMENT_COLUMNS } from '@causeway/rails/bank'
import XMLBuilder from 'fast-xml-builder'
import type { Line } from './account.ts'

/** The platform's account. The checksum is valid; the bank is not. */
const IBAN = 'DE93999999990000000001'
const CURRENCY = 'EUR'
/** EUR 1,000,000.00 before the first line; nothing in other currencies. */
const OPENING_CENTS = 100_000_000

const toIso = (ms: number): string => new Date(ms).toISOString()

/** RFC 4180. */
const toCell = (value: string | number | null): string => {
  const text = String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Statement as CSV, in the columns of decisions §51. */
export const toCsvStatement = (lines: readonly Line[]): string => {
  const rows = lines.map(({ lineId, bookedAtMs, amountCents, currency, reference, counterparty }) =>
    [lineId, toIso(bookedAtMs), amountCents, currency, reference, counterparty].map(toCell).join(','),
  )
  return [STATEMENT_COLUMNS.join(','), ...rows, ''].join('\r\n')
}

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: true })

const toAmount = (cents: number, currency: string) => ({
  Amt: { '@Ccy': currency, '#text': formatMinorUnits(Math.abs(cents), currency) },
  CdtDbtInd: cents < 0 ? 'DBIT' : 'CRDT',
})

const toBalance = (kind: 'OPBD' | 'CLBD', [cents, currency]: readonly [number, string], atMs: number) => ({
  Tp: { CdOrPrtry: { Cd: kind } },
  ...toAmount(cents, currency),
  Dt: { DtTm: toIso(atMs) },
})

/** The parties of a return are those of the payment, so the recipient stays the creditor. */
const partyOf = ({ amountCents, returnReason }: Line) =>
  amountCents > 0 && returnReason === null ? 'Dbtr' : 'Cdtr'

const toEntry = (line: Line) => ({
  ...toAmount(line.amountCents, line.currency),
  ...(line.returnReason !== null && { RvslInd: 'true' }),
  Sts: { Cd: 'BOOK' },
  BookgDt: { DtTm: toIso(line.bookedAtMs) },
  AcctSvcrRef: line.lineId,
  BkTxCd: { Prtry: { Cd: line.returnReason === null ? 'TRANSFER' : 'RETURN' } },
  NtryDtls: {
    TxDtls: {
      ...(line.reference !== null && { Refs: { EndToEndId: line.reference } }),
      ...(line.counterparty !== null && {
        RltdPties: { [partyOf(line)]: { Pty: { Nm: line.counterparty } } },
      }),
      ...(line.returnReason !== null && { RtrInf: { AddtlInf: line.returnReason } }),
    },
  },
})

/** The account in one currency: opening balance, closing balance, its lines. */
const toAccountStatement = (lines: readonly Line[], currency: string, nowMs: number) => {
  const opening = currency === CURRENCY ? OPENING_CENTS : 0
  const closing = lines.reduce((sum, { amountCents }) => sum + amountCents, opening)
  return {
    Id: `sandbox-${currency}-${nowMs}`,
    CreDtTm: toIso(nowMs),
    Acct: { Id: { IBAN }, Ccy: currency },
    Bal: [
      toBalance('OPBD', [opening, currency], lines[0]?.bookedAtMs ?? nowMs),
      toBalance('CLBD', [closing, currency], nowMs),
    ],
    Ntry: lines.map(toEntry),
  }
}

/** Statement as camt.053.001.08: all lines, in a statement for each currency of the account, euro first. */
export const toCamtStatement = (lines: readonly Line[], nowMs: number): string => {
  const others = new Set(lines.map(({ currency }) => currency).filter((currency) => currency !== CURRENCY))
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    Document: {
      '@xmlns': 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08',
      BkToCstmrStmt: {
        GrpHdr: { MsgId: `sandbox-${nowMs}`, CreDtTm: toIso(nowMs) },
        Stmt: [CURRENCY, ...others].map((currency) =>
          toAccountStatement(
            lines.filter((line) => line.currency === currency),
            currency,
            nowMs,
          ),
        ),
      },
    },
  }
  return builder.build(document)
}
