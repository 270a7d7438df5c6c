import type { BankLine } from '../src/bank.ts'
import { formatMinorUnits } from '@causeway/contracts'

export type CamtVersion = '02' | '08'

/** A camt.053 document around entries that are written out. */
export const camt = (version: CamtVersion, ...entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">
  <BkToCstmrStmt>
    <GrpHdr><MsgId>MSG1</MsgId><CreDtTm>2026-11-28T06:00:00</CreDtTm></GrpHdr>
    <Stmt>
      <Id>STMT1</Id>
      <Acct><Id><IBAN>DE93999999990000000001</IBAN></Id></Acct>
      ${entries.join('\n      ')}
    </Stmt>
  </BkToCstmrStmt>
</Document>`

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** An entry of a line, as a bank writes it. */
export const toEntry = (version: CamtVersion, line: BankLine): string => {
  const { lineId, bookedAt, amountMinor, currency, reference, counterparty } = line
  const isDebit = amountMinor < 0n
  const amount = formatMinorUnits(Number(isDebit ? -amountMinor : amountMinor), currency)
  const name = `<Nm>${escape(counterparty ?? '')}</Nm>`
  const party = version === '08' ? `<Pty>${name}</Pty>` : name
  const [status, role] = [version === '08' ? '<Cd>BOOK</Cd>' : 'BOOK', isDebit ? 'Cdtr' : 'Dbtr']
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${isDebit ? 'DBIT' : 'CRDT'}</CdtDbtInd>
    <Sts>${status}</Sts><BookgDt><DtTm>${bookedAt}</DtTm></BookgDt><AcctSvcrRef>${escape(lineId)}</AcctSvcrRef>
    <NtryDtls><TxDtls><Refs><EndToEndId>${escape(reference ?? 'NOTPROVIDED')}</EndToEndId></Refs>
    <RltdPties><${role}>${party}</${role}></RltdPties></TxDtls></NtryDtls></Ntry>`
}

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** The lines as CSV, every text quoted. */
export const toCsv = (lines: readonly BankLine[]): string =>
  [
    'line_id,booked_at,amount_cents,currency,reference,counterparty',
    ...lines.map(({ lineId, bookedAt, amountMinor, currency, reference, counterparty }) =>
      [
        quote(lineId),
        bookedAt,
        amountMinor,
        currency,
        quote(reference ?? ''),
        quote(counterparty ?? ''),
      ].join(),
    ),
  ].join('\n')
