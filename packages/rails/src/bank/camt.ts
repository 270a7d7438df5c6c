import { createHash } from 'node:crypto'
import { type BankLine, type FieldNames, type FoundLine, toBankLine, toMinorUnits } from './line.ts'
import { attributeAt, childrenOf, elementAt, readElements, textAt, type XmlNode } from './xml.ts'

/** The account of a statement comes before its entries. */
const STATEMENTS = {
  messages: ['camt.053.001.02', 'camt.053.001.08'],
  parent: 'Document/BkToCstmrStmt/Stmt',
  names: ['Acct', 'Ntry'],
}
const NAMES: FieldNames = { lineId: 'AcctSvcrRef or NtryRef', bookedAt: 'BookgDt', currency: 'Amt Ccy' }
/** Values of a reference that stand for its absence. */
const NO_REFERENCE = /^(?:NOTPROVIDED|NONREF)$/i

type Sign = 1n | -1n

/** An entry whose fields have been checked. */
type Entry = Readonly<{
  id: string
  bookedAt: string | null
  currency: string
  /** Signed. */
  amountMinor: bigint
  /** True if the entry reverses an earlier one. `CdtDbtInd` is the direction of the entry, not of the earlier one. */
  reverses: boolean
  details: readonly XmlNode[]
}>

const referenceAt = (node: XmlNode, path: string): string | null => {
  const text = textAt(node, path)
  return text === null || NO_REFERENCE.test(text) ? null : text
}

/** Version 02 has the status and the name of a party directly in the element; 08 has them one level below. */
const statusOf = (entry: XmlNode) => textAt(entry, 'Sts/Cd') ?? textAt(entry, 'Sts')
const nameOf = (detail: XmlNode, party: 'Cdtr' | 'Dbtr') =>
  textAt(detail, `RltdPties/${party}/Pty/Nm`) ?? textAt(detail, `RltdPties/${party}/Nm`)

const signOf = (node: XmlNode): Sign | null => {
  const direction = textAt(node, 'CdtDbtInd')
  if (direction === 'CRDT') return 1n
  return direction === 'DBIT' ? -1n : null
}

const remittanceOf = (detail: XmlNode): string | null => {
  const remittance = elementAt(detail, 'RmtInf')
  const parts = remittance === null ? [] : childrenOf(remittance, 'Ustrd')
  return parts.map((part) => part['#text']).join(' ') || null
}

/** The bank's words for why a payment came back, else its code. */
const returnReasonOf = (detail: XmlNode): string | null =>
  textAt(detail, 'RtrInf/AddtlInf') ?? textAt(detail, 'RtrInf/Rsn/Cd') ?? textAt(detail, 'RtrInf/Rsn/Prtry')

/** The bank's own id, else one derived from the content, which two identical entries of a statement share. */
const ownIdOf = (entry: XmlNode, details: readonly XmlNode[]): string | null => {
  const [only, ...more] = details
  const ofDetail = only && more.length === 0 ? referenceAt(only, 'Refs/AcctSvcrRef') : null
  return referenceAt(entry, 'AcctSvcrRef') ?? ofDetail ?? referenceAt(entry, 'NtryRef')
}

/** Creates ids of entries without one: the hash of account and content, and the ordinal among identical entries. */
const createDerivedIds = () => {
  const seen = new Map<string, number>()
  return (account: string, entry: XmlNode): string => {
    const hash = createHash('sha256')
      .update(JSON.stringify([account, entry]))
      .digest('hex')
    const ordinal = (seen.get(hash) ?? 0) + 1
    seen.set(hash, ordinal)
    return `${hash}-${ordinal}`
  }
}

/** Checks an entry. @returns the entry, or why it is rejected */
const readEntry = (entry: XmlNode, deriveId: () => string): Entry | string => {
  const status = statusOf(entry)
  if (status !== 'BOOK')
    return status === null ? 'Sts: a status is required.' : 'Sts: the entry is not booked (BOOK).'
  const sign = signOf(entry)
  if (sign === null) return 'CdtDbtInd: CRDT or DBIT is required.'
  const currency = attributeAt(entry, 'Amt', 'Ccy') ?? ''
  const amount = toMinorUnits(textAt(entry, 'Amt') ?? '', currency)
  if (!amount)
    return 'Amt: a decimal above zero is required, with a currency (Ccy) and no more decimals than it has.'
  const details = childrenOf(entry, 'NtryDtls').flatMap((group) => childrenOf(group, 'TxDtls'))
  return {
    id: ownIdOf(entry, details) ?? deriveId(),
    bookedAt: textAt(entry, 'BookgDt/DtTm') ?? textAt(entry, 'BookgDt/Dt'),
    currency,
    amountMinor: sign * amount,
    reverses: ['true', '1'].includes(textAt(entry, 'RvslInd') ?? ''),
    details,
  }
}

/** Signed amount of one transaction of a batch; null unless it is stated in the entry's currency. */
const amountOfDetail = ({ currency, amountMinor }: Entry, detail: XmlNode): bigint | null => {
  const path = elementAt(detail, 'Amt') ? 'Amt' : 'AmtDtls/TxAmt/Amt'
  if (attributeAt(detail, path, 'Ccy') !== currency) return null
  const amount = toMinorUnits(textAt(detail, path) ?? '', currency)
  const sign = signOf(detail) ?? (amountMinor < 0n ? -1n : 1n)
  return amount ? sign * amount : null
}

type Part = Readonly<{ lineId: string; amountMinor: bigint; detail: XmlNode | null }>

/**
 * One part per transaction where several have amounts that sum to the entry's; else the whole entry, because its amount
 * is what the bank booked.
 */
const partsOf = (entry: Entry): readonly Part[] => {
  const { id, amountMinor, details } = entry
  const [first = null, ...more] = details
  const whole = { lineId: id, amountMinor, detail: more.length === 0 ? first : null }
  if (more.length === 0) return [whole]
  const parts: Part[] = []
  for (const [index, detail] of details.entries()) {
    const amount = amountOfDetail(entry, detail)
    if (amount === null) return [whole]
    parts.push({ lineId: `${id}/${index + 1}`, amountMinor: amount, detail })
  }
  const sum = parts.reduce((total, part) => total + part.amountMinor, 0n)
  return sum === amountMinor ? parts : [whole]
}

const toLine = ({ bookedAt, currency, reverses }: Entry, part: Part): BankLine | string => {
  const { lineId, amountMinor, detail } = part
  const cameIn = amountMinor > 0n !== reverses
  const raw = {
    ...{ lineId, bookedAt, currency },
    reference: detail && (referenceAt(detail, 'Refs/EndToEndId') ?? remittanceOf(detail)),
    counterparty: detail && nameOf(detail, cameIn ? 'Dbtr' : 'Cdtr'),
    returnReason: detail && returnReasonOf(detail),
  }
  return toBankLine(raw, amountMinor, NAMES)
}

/**
 * Reads the entries of all statements of a camt.053 document, one after another, as {@link readElements} does.
 * @throws BankFileError for a text that is no such document, possibly after some entries
 */
export function* readCamt(text: string): Generator<FoundLine | null> {
  const deriveId = createDerivedIds()
  let statement = 0
  let account = ''
  let line = 0
  for (const element of readElements(text, STATEMENTS)) {
    if (element === null) {
      yield null
      continue
    }
    const { name, parent, node } = element
    if (parent !== statement) account = ''
    statement = parent
    if (name === 'Acct') {
      account ||= textAt(node, 'Id/IBAN') ?? textAt(node, 'Id/Othr/Id') ?? ''
      continue
    }
    line += 1
    const entry = readEntry(node, () => deriveId(account, node))
    if (typeof entry === 'string') yield { line, found: entry }
    else for (const part of partsOf(entry)) yield { line, found: toLine(entry, part) }
  }
}
