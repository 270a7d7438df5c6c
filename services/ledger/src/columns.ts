import { DATA_KEY_SEALING, sealedColumns, type Tables, type VaultUse } from '@causeway/chassis'
import { contentContext } from './payment-files/file.ts'
import { accountContext, readAccount } from './payout-wallets/account.ts'

/** Every column of this service's tables. The books hold ids and amounts, and no personal data. */
export const TABLES: Tables = {
  adjustments: {
    personal: { reason: { keptBecause: 'Staff: the reason of a correction of the books' } },
    plain: 'adjustment_id owner_id unit amount is_write_off created_at',
  },
  balance_watch: { plain: 'only_row through_seq' },
  bank_lines: {
    personal: {
      reference: { keptBecause: 'The bank: the text of a transfer, a record of money' },
      return_reason: { keptBecause: 'The bank: why a transfer came back, a record of money' },
    },
    plain: 'line_id booked_at amount currency payout_id imported_at step matched_at status',
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
  'books.payment_file_items': { plain: 'payout_id payment_file_id' },
  'books.payouts': { plain: 'payout_id account_id amount advance entry_count fee' },
  'books.scheduled': { plain: 'source rule due_at digest posting' },
  'books.seal_leaves': { plain: 'seal place account_id first last opening closing lines nonce hash' },
  'books.seals': { plain: 'number month closes first_seq last_seq size root sealed_at' },
  'books.transfers': { plain: 'seq line debit credit unit amount' },
  chain_readings: { plain: 'network asset due_at missing added_at read_at' },
  cursor_key: { plain: 'only_row key' },
  daily_totals: { plain: 'scope day unit kind amount entries' },
  daily_totals_position: { plain: 'only_row through_seq' },
  daily_totals_without_partner: { plain: 'owner_id' },
  data_keys: { secret: { key_sealed: DATA_KEY_SEALING }, plain: 'subject created_at' },
  differences: {
    personal: {
      reason: { keptBecause: 'Staff: why a difference of the books was closed, a record of money' },
    },
    plain:
      'difference_id kind source line_id item_source item_kind order_key owner_id unit expected found found_unit found_at status ended_at adjustment_id',
  },
  fact_comparisons: {
    plain: 'service before_seq through_seq swept_seq origin compared_at due_at holder lease_until',
  },
  fact_differences: { plain: 'fact_id service seq kind reason found_at accepted_at note' },
  import_file_parts: {
    personal: {
      sealed: {
        keptBecause:
          'The bank or a processor: a file until its import has ended, an hour at most; its key is not stored',
      },
    },
    plain: 'blob_key part stored_at',
  },
  payment_files: {
    personal: {
      content_sealed: {
        erasedTo: 'NULL',
        exportAs: null,
        sealed: { key: 'payment_file_id', contextOf: contentContext, subject: 'payment_file_id' },
      },
    },
    plain: 'payment_file_id unit total_cents sha256 status created_at uploaded_at erased_at',
  },
  payout_runs: { plain: 'run_id key fingerprint request_id cut_off created_at answer' },
  payout_schedules: {
    plain: 'partner_customer_id unit interval weekday day minimum payout_wallet_id due_at last_due_at',
  },
  payouts: {
    personal: {
      reference: { keptBecause: 'Staff: the text of a transfer, a record of money' },
      return_reason: { keptBecause: 'Staff: why a transfer came back, a record of money' },
    },
    plain:
      'payout_id merchant_id owner_id amount_cents amount currency status scheduled_for created_at sent_at settled_at returned_at tx_id run_id schedule payout_wallet_id payment_file_id transfer_status transfer_problem transfer_due_at',
  },
  payout_wallets: {
    personal: {
      account_sealed: {
        erasedTo: 'NULL',
        exportAs: readAccount,
        sealed: { key: 'payout_wallet_id', contextOf: accountContext, subject: 'payout_wallet_id' },
      },
      address: { erasedTo: 'NULL', exportAs: 'address' },
      refusal_reason: { keptBecause: 'Staff: why a destination was refused, a record of money' },
    },
    plain:
      'payout_wallet_id partner_customer_id kind unit masked network status confirmed_at proved_at usable_from created_at deleted_at erased_at',
  },
  report_parts: { plain: 'report_id part content' },
  reports: {
    plain:
      'report_id partner_id type format from_at to_at as_of partner_customer_id after_seq through_seq status holder lease_until attempts rows bytes parts sha256 created_at',
  },
  received_facts: { plain: 'fact_id service seq digest' },
  relationships: { plain: 'partner_customer_id partner_id merchant_id status grants version held' },
  reserve_accounts: { plain: 'owner_id unit through plan_version' },
  reserve_movements: { plain: 'source owner_id unit order_key order_id amount effective_at' },
  reserve_plans: { plain: 'merchant_id version share_bps days fixed_cents currency set_at' },
  reserves: { plain: 'owner_id unit order_ref held movements due_at' },
  settlement_items: {
    plain:
      'source kind processor order_key order_id owner_id currency amount_cents booked_fee_cents estimated effective_at status',
  },
  settlement_lines: {
    plain:
      'processor line_id kind processor_order_id gross_cents fee_cents net_cents currency available_on payout_ref imported_at order_key status bank_line_id bank_status original_cents original_currency original_rate',
  },
  settlement_postings: { plain: 'source processor order_key order_id effective_at movements' },
  settlement_reports: { plain: 'processor position complete due_at read_at' },
  settlement_progress: { plain: 'only_row seq' },
  settlement_sources: { plain: 'processor begins_on stated first_imported_at' },
}

export const VAULT_USE: VaultUse = {
  columns: sealedColumns(TABLES),
  formerHashPurposes: [],
}
