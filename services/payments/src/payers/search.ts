import type { ServiceContext, Vault } from '@causeway/chassis'
import type { PayerQuery, PayerRecord } from '@causeway/contracts'
import { canonicalEmail, canonicalIp } from './fingerprints.ts'
import * as store from './store.ts'
import { payerContext } from '../crypto-orders/preparation.ts'
import { isKnown, marksOf, openPayer, type Payer } from './sealed-payers.ts'

/** Who is looked for: one spelling of the value, and the keyed hash of it. */
export type Wanted = Readonly<{ kind: 'email' | 'ip'; value: string; mac: Buffer }>

/** The contract has let through one of the two, and an address only if it is one. */
export const wantedOf = (vault: Vault, { email, ip }: PayerQuery): Wanted => {
  const marks = marksOf(vault, { email: email ?? null, ip: ip ?? null })
  if (email !== undefined && marks.email !== null)
    return { kind: 'email', value: canonicalEmail(email), mac: marks.email }
  const value = ip === undefined ? null : canonicalIp(ip)
  if (value === null || marks.ip === null) throw new Error('A payer is asked for by nothing')
  return { kind: 'ip', value, mac: marks.ip }
}

/** What is held, of which a walk looks at one kind after the other. */
export const KINDS = ['crypto_order', 'card_order', 'chargeback', 'chargeback_case'] as const
type Kind = PayerRecord['kind']

/** The last row that was looked at. */
export type Position = Readonly<{ kind: Kind; id: string }>
export const START: Position = { kind: KINDS[0], id: '' }

/** A row that is of the payer: with all that is known of it, as the export shows it. */
export type Found = Readonly<{
  kind: Kind
  id: string
  /** The subject whose key sealed it; empty where nothing is sealed. */
  subject: string
  data: Record<string, unknown>
}>
type Batch = Readonly<{ rows: readonly Readonly<{ at: Position; found: Found | null }>[] }>

/** What of an order is opened at once: it takes some 10 ms of this process, and then others have their turn. */
const BATCH = 500

const readOf = ({ db }: Pick<ServiceContext, 'db'>, { kind, mac }: Wanted, from: Position, count: number) => {
  const page = [from.id, count]
  if (from.kind === 'crypto_order') return db.apart.query(store.readCryptoOrders, page)
  if (from.kind === 'card_order') return db.apart.query(store.readCardOrders, page)
  if (from.kind === 'chargeback')
    return db.apart.query(store.readChargebacks, [...page, kind === 'ip' ? mac : null])
  return db.apart.query(store.readCases, [...page, kind, mac])
}

/** What is sealed in an order, as it was told. */
const told = (vault: Vault, kind: Kind, id: string, sealed: string) => {
  if (kind === 'card_order') {
    const payer = openPayer(vault, id, sealed)
    return { payer, told: { payer_email: payer.email, payer_ip: payer.ip } }
  }
  const buyer = JSON.parse(vault.open(sealed, payerContext(id)).toString()) as Record<string, unknown>
  return { payer: { email: String(buyer['email']), ip: null }, told: buyer }
}

const isWanted = ({ kind, value }: Wanted, { email, ip }: Payer): boolean =>
  kind === 'email'
    ? email !== null && canonicalEmail(email) === value
    : ip !== null && canonicalIp(ip) === value

const look = (vault: Vault, wanted: Wanted, kind: Kind, row: store.HeldRow): Found | null => {
  const { id, sealed, plain } = row
  // Disputes and cases were found by the keyed hash.
  if (kind === 'chargeback' || kind === 'chargeback_case') return { kind, id, subject: '', data: plain }
  if (!isKnown(sealed)) return null
  const opened = told(vault, kind, id, sealed)
  if (!isWanted(wanted, opened.payer)) return null
  const subject = sealed.startsWith('v2.') ? (sealed.split('.')[1] ?? '') : ''
  return { kind, id, subject, data: { ...plain, ...opened.told } }
}

/**
 * Looks at rows from a position on, in batches, `most` of them altogether, outside any transaction. Orders bear no hash
 * of their payer, so each is opened: what staff ask for once a month shall cost the creation of an order nothing.
 * @returns (of the generator) whether everything was looked at
 */
export const walkPayer = async function* (
  context: Pick<ServiceContext, 'db' | 'vault'>,
  wanted: Wanted,
  span: Readonly<{ from: Position; kinds: readonly Kind[]; most: number }>,
): AsyncGenerator<Batch, boolean> {
  let looked = 0
  for (const kind of span.kinds.slice(Math.max(span.kinds.indexOf(span.from.kind), 0))) {
    let id = kind === span.from.kind ? span.from.id : ''
    for (;;) {
      const count = Math.min(BATCH, span.most - looked)
      if (count === 0) return false
      const read = await readOf(context, wanted, { kind, id }, count)
      looked += read.length
      yield {
        rows: read.map((row) => ({
          at: { kind, id: row.id },
          found: look(context.vault, wanted, kind, row),
        })),
      }
      const last = read.at(-1)
      if (!last || read.length < count) break
      id = last.id
    }
  }
  return true
}
