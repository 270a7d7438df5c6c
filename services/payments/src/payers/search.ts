import type { ServiceContext, Vault } from '@causeway/chassis'
import type { PayerQuery, PayerRecord } from '@causeway/contracts'
import { canonicalEmail, canonicalIp, fingerprintsOf } from './fingerprints.ts'
import { TABLES } from '../columns.ts'
import { isKnown, type Payer } from './sealed-payers.ts'
import * as store from './store.ts'

/** Who is searched: the canonical value, and its keyed hash. */
export type SearchedPayer = Readonly<{ kind: 'email' | 'ip'; value: string; mac: Buffer }>

/** The contract requires exactly one of the two, and a valid IP address. */
export const searchedPayerOf = (vault: Vault, { email, ip }: PayerQuery): SearchedPayer => {
  const fingerprints = fingerprintsOf(vault, { email: email ?? null, ip: ip ?? null })
  if (email !== undefined && fingerprints.email !== null)
    return { kind: 'email', value: canonicalEmail(email), mac: fingerprints.email }
  const value = ip === undefined ? null : canonicalIp(ip)
  if (value === null || fingerprints.ip === null) throw new Error('A payer search has neither e-mail nor IP')
  return { kind: 'ip', value, mac: fingerprints.ip }
}

/** Kinds of records, in the order in which a search goes through them. */
export const KINDS = ['crypto_order', 'card_order', 'chargeback', 'chargeback_case'] as const
type Kind = PayerRecord['kind']

/** The last row that was scanned. */
export type Position = Readonly<{ kind: Kind; id: string }>
export const START: Position = { kind: KINDS[0], id: '' }

/** A row of the payer, with its fields for the export. */
export type Match = Readonly<{
  kind: Kind
  id: string
  /** The subject whose key sealed it; empty where nothing is sealed. */
  subject: string
  data: Record<string, unknown>
}>
type Batch = Readonly<{ rows: readonly Readonly<{ position: Position; match: Match | null }>[] }>

/** Orders decrypted together: they block the event loop for about 10 ms. */
const BATCH = 500

const listRows = (
  { db }: Pick<ServiceContext, 'db'>,
  { kind, mac }: SearchedPayer,
  from: Position,
  limit: number,
): Promise<store.HeldRow[]> => {
  const page = { afterId: from.id, limit }
  if (from.kind === 'crypto_order') return store.listCryptoOrders(db.pooled, page)
  if (from.kind === 'card_order') return store.listCardOrders(db.pooled, page)
  if (from.kind === 'chargeback')
    return store.listChargebacks(db.pooled, { ...page, ipMac: kind === 'ip' ? mac : null })
  return store.listCases(db.pooled, { ...page, kind, mac })
}

/** The decrypted payer of an order, with the fields for the export. */
const openOrder = (vault: Vault, kind: Kind, id: string, sealed: string) => {
  const open = (context: string) => vault.open(sealed, context).toString()
  if (kind === 'card_order') {
    const column = TABLES.fiat_orders.personal.payer_sealed
    const fields = column.exportAs(open(column.sealed.contextOf(id)))
    return { payer: { email: fields.payer_email, ip: fields.payer_ip }, fields }
  }
  const column = TABLES.crypto_orders.personal.payer_sealed
  const fields = column.exportAs(open(column.sealed.contextOf(id)))
  return { payer: { email: String(fields['email']), ip: null }, fields }
}

const isSearched = ({ kind, value }: SearchedPayer, { email, ip }: Payer): boolean =>
  kind === 'email'
    ? email !== null && canonicalEmail(email) === value
    : ip !== null && canonicalIp(ip) === value

const matchOf = (vault: Vault, searched: SearchedPayer, kind: Kind, row: store.HeldRow): Match | null => {
  const { id, sealed, plain } = row
  // Disputes and cases were found by the keyed hash.
  if (kind === 'chargeback' || kind === 'chargeback_case') return { kind, id, subject: '', data: plain }
  if (!isKnown(sealed)) return null
  const { payer, fields } = openOrder(vault, kind, id, sealed)
  if (!isSearched(searched, payer)) return null
  const subject = sealed.startsWith('v2.') ? (sealed.split('.')[1] ?? '') : ''
  return { kind, id, subject, data: { ...plain, ...fields } }
}

/**
 * Scans rows from a position on, in batches, at most `limit` of them, outside any transaction. Orders carry no hash of
 * their payer, so each is decrypted: a search that staff make once a month must not slow the creation of orders.
 * @returns (of the generator) whether everything was scanned
 */
export const searchPayer = async function* (
  context: Pick<ServiceContext, 'db' | 'vault'>,
  searched: SearchedPayer,
  scan: Readonly<{ from: Position; kinds: readonly Kind[]; limit: number }>,
): AsyncGenerator<Batch, boolean> {
  let scanned = 0
  for (const kind of scan.kinds.slice(Math.max(scan.kinds.indexOf(scan.from.kind), 0))) {
    let id = kind === scan.from.kind ? scan.from.id : ''
    for (;;) {
      const count = Math.min(BATCH, scan.limit - scanned)
      if (count === 0) return false
      const rows = await listRows(context, searched, { kind, id }, count)
      scanned += rows.length
      yield {
        rows: rows.map((row) => ({
          position: { kind, id: row.id },
          match: matchOf(context.vault, searched, kind, row),
        })),
      }
      const last = rows.at(-1)
      if (!last || rows.length < count) break
      id = last.id
    }
  }
  return true
}
