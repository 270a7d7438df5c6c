import { sealedColumns, type Tables, type VaultUse } from '@causeway/chassis'
import { descriptionContext } from './refunds/descriptions.ts'

const MEMO = { keptBecause: 'Memo in the accounting record of a refund' }

/** Every column of this service's tables: the rotation of keys derives from it. */
export const TABLES: Tables = {
  refunds: {
    personal: {
      description: MEMO,
      description_sealed: { ...MEMO, sealed: { key: 'id', contextOf: descriptionContext } },
      order_lines: { keptBecause: 'Goods in the accounting record of a refund' },
    },
    plain:
      'id partner_id order_key state amount_cents idempotency_key partner_customer_id order_id currency processor ' +
      'processor_order_id service_fee_payer max_refundable_cents refunded_before_cents processor_refund_id due_at ' +
      'attempts created_at completed_at source found_at client_id counted_on',
  },
  client_refund_days: { plain: 'partner_id client_id currency day amount_cents' },
  reconciliation_runs: {
    plain:
      'id processor is_deep since covers_until started_at finished_at cursor is_listed compared recorded holder ' +
      'lease_until windows left_out',
  },
  refund_differences: {
    plain:
      'id kind processor processor_refund_id partner_id order_key processor_order_id refund_id here at_processor ' +
      'found_at checked_at closed_at',
  },
}

export const VAULT_USE: VaultUse = {
  columns: sealedColumns(TABLES),
  formerHashPurposes: ['cursor'],
}
