import { z } from 'zod'
import { CardDisputed, CardPaid, CardRefunded } from './card-facts.ts'
import { CryptoRefunded, DepositMoved, TransferMoved } from './crypto-facts.ts'
import type { ServiceName } from '../services.ts'

const LedgerFact = z.discriminatedUnion('kind', [
  CardPaid,
  CardRefunded,
  CardDisputed,
  DepositMoved,
  CryptoRefunded,
  TransferMoved,
])
/** A movement of money, with every number that its posting needs. */
export type LedgerFact = z.infer<typeof LedgerFact>
type LedgerFactKind = LedgerFact['kind']
export type LedgerFactOf<K extends LedgerFactKind> = Extract<LedgerFact, { kind: K }>

/** The one service that may send a kind of fact. */
const OWNERS: Readonly<Record<LedgerFactKind, ServiceName>> = {
  card_paid: 'payments',
  card_refunded: 'payments',
  card_disputed: 'payments',
  deposit_moved: 'payments',
  crypto_refunded: 'payments',
  transfer_moved: 'signer',
}

/** True if the value is a kind of fact that another service owns. Unknown kinds have no owner: the ledger parks them. */
export const isForeignFact = (service: ServiceName, kind: unknown): boolean => {
  const owner = Object.entries(OWNERS).find(([known]) => known === kind)?.[1]
  return owner !== undefined && owner !== service
}

/** Reads a fact. @throws Error that names each wrong field, without its value */
export const readLedgerFact = (value: unknown): LedgerFact => {
  const read = LedgerFact.safeParse(value)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `${path.join('.') || 'kind'}: ${message}`)
  throw new Error(`This fact does not match its schema: ${faults.join('; ')}`)
}

/** The service that sends a fact. */
export const ownerOfFact = ({ kind }: Pick<LedgerFact, 'kind'>): ServiceName => OWNERS[kind]
