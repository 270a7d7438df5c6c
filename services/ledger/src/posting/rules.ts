import { ownedAccount, type Account } from './accounts.ts'
import { transferOf, type Posting, type Transfer } from './posting.ts'
import type { EntryKind, LedgerFact } from '@causeway/contracts'
import { cardDisputed, cardPaid, cardRefunded } from './card.ts'
import { cryptoRefunded, depositMoved, transferMoved } from './crypto.ts'

const transfersOf = (fact: LedgerFact): Transfer[] => {
  switch (fact.kind) {
    case 'card_paid':
      return cardPaid(fact)
    case 'card_refunded':
      return cardRefunded(fact)
    case 'card_disputed':
      return cardDisputed(fact)
    case 'deposit_moved':
      return depositMoved(fact)
    case 'crypto_refunded':
      return cryptoRefunded(fact)
    case 'transfer_moved':
      return transferMoved(fact)
  }
}

/** One side of a transfer in `pending`, moved to `available`: the entry there keeps its kind. */
const releaseSide = (
  account: Account,
  { unit, amount }: Transfer,
  kind: EntryKind | null,
  side: 'debit' | 'credit',
): Transfer[] => {
  if (account.ownerId === null || account.balance !== 'pending' || kind === null) return []
  const available = ownedAccount(account.ownerId, 'available')
  return side === 'credit'
    ? transferOf(account, available, unit, amount, kind).map((each) => ({ ...each, debitKind: 'release' }))
    : transferOf(available, account, unit, amount, kind).map((each) => ({ ...each, creditKind: 'release' }))
}

/** Moves every entry of a posting from `pending` to `available`. */
const releasesOf = (transfers: readonly Transfer[]): Transfer[] =>
  transfers.flatMap((transfer) => [
    ...releaseSide(transfer.debit, transfer, transfer.debitKind, 'debit'),
    ...releaseSide(transfer.credit, transfer, transfer.creditKind, 'credit'),
  ])

/** Returns the postings of a fact: its own, and the release of what it puts into `pending`. They depend on nothing else. */
export const postingsOf = (fact: LedgerFact): Posting[] => {
  const transfers = transfersOf(fact)
  const posting: Posting = {
    source: fact.fact_id,
    rule: 'fact',
    orderKey: 'order_key' in fact ? fact.order_key : null,
    orderId: 'order_id' in fact ? fact.order_id : null,
    reverses: 'reverses' in fact ? fact.reverses : null,
    estimated: fact.kind === 'card_disputed' && fact.estimated,
    effectiveAt: fact.at,
    dueAt: null,
    transfers,
  }
  const releases = releasesOf(transfers)
  if (releases.length === 0 || !('available_at' in fact)) return [posting]
  const { available_at: at } = fact
  return [
    posting,
    { ...posting, rule: 'release', reverses: null, effectiveAt: at, dueAt: at, transfers: releases },
  ]
}
