import type { Tables } from '@causeway/chassis'

/** Every column of this service's tables. The books hold ids and amounts, and no personal data. */
export const TABLES: Tables = {
  adjustments: {
    personal: { reason: { keptBecause: 'Staff: the reason of a correction of the books' } },
    plain: 'adjustment_id owner_id unit amount created_at',
  },
  'books.accounts': { plain: 'id name unit class owner_id balance' },
  'books.balances': { plain: 'account_id amount entries' },
  'books.checkpoint_sums': { plain: 'seq unit name class debits credits' },
  'books.checkpoints': { plain: 'seq' },
  'books.entries': { plain: 'account_id number seq line kind amount balance_after' },
  'books.head': { plain: 'only_row seq recorded_at' },
  'books.journal': {
    plain: 'seq id source rule digest order_key order_id reverses estimated effective_at recorded_at',
  },
  'books.paid': { plain: 'account_id through' },
  'books.payout_items': { plain: 'payout_id account_id number amount' },
  'books.payout_steps': { plain: 'payout_id step counterpart effective_at' },
  'books.payouts': { plain: 'payout_id account_id amount advance entry_count' },
  'books.scheduled': { plain: 'source rule due_at digest posting' },
  'books.seal_leaves': { plain: 'seal place account_id first last opening closing lines nonce hash' },
  'books.seals': { plain: 'number month closes first_seq last_seq size root sealed_at' },
  'books.transfers': { plain: 'seq line debit credit unit amount' },
  cursor_key: { plain: 'only_row key' },
  fact_comparisons: {
    plain: 'service before_seq through_seq swept_seq origin compared_at due_at holder lease_until',
  },
  fact_differences: { plain: 'fact_id service seq kind reason found_at accepted_at note' },
  payouts: {
    plain: 'payout_id merchant_id owner_id amount_cents currency status scheduled_for created_at sent_at',
  },
  report_parts: { plain: 'report_id part content' },
  reports: {
    plain:
      'report_id partner_id type format from_at to_at as_of partner_customer_id after_seq through_seq status holder lease_until attempts rows bytes parts sha256 created_at',
  },
  received_facts: { plain: 'fact_id service seq digest' },
  relationships: { plain: 'partner_customer_id partner_id merchant_id status grants version' },
}
