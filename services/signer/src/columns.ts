import type { Tables } from '@causeway/chassis'

const ON_CHAIN = { keptBecause: 'An address on a public chain, in the record of a transfer' }

/** Every column of this service's tables. */
export const TABLES: Tables = {
  'record.head': { plain: 'only_row sequence hash' },
  'record.records': {
    personal: {
      record: { keptBecause: 'The record is append-only (ADR 0070). It names staff who approved' },
    },
    plain: 'sequence subject kind hash',
  },
  signings: { plain: 'network count' },
  spending: { personal: { to_address: ON_CHAIN }, plain: 'day asset amount' },
  sweeps: { plain: 'network asset after_order_id due_at again_after_order_id again_pages' },
  transfers: {
    personal: { to_address: ON_CHAIN },
    plain:
      'id purpose network asset order_id key_index amount coins status failure signed network_fee created_at updated_at ' +
      'due_at unattributed_money_id facts_kept earlier stuck_at all_versions',
  },
  transfer_sources: { plain: 'transfer_id network key_index amount fee_asset' },
  payout_spending: { plain: 'day unit amount' },
}
