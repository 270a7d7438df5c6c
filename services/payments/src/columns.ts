import { DATA_KEY_SEALING, sealedColumns, WITH_ITS_ROW, type Tables, type VaultUse } from '@causeway/chassis'
import { cryptoPayerContext, fiatPayerContext, exportedPayer } from './payers/sealed-payers.ts'

/** Data from before monthly keys is re-encrypted with the key of its order's month. */
const subject = `to_char(created_at AT TIME ZONE 'UTC', '"payers-"YYYY-MM')`

const ON_CHAIN = { keptBecause: 'An address on a public chain, in the record of a payment' }

/** Every column of this service's tables: the erasure, the export and the rotation of keys derive from it. */
export const TABLES = {
  data_keys: { secret: { key_sealed: DATA_KEY_SEALING }, plain: 'subject created_at' },
  crypto_orders: {
    personal: {
      payer_sealed: {
        erasedTo: `''`,
        exportAs: (plain) => JSON.parse(plain) as Record<string, unknown>,
        sealed: { key: 'id', contextOf: cryptoPayerContext, subject },
      },
      refund_address: ON_CHAIN,
      description: { erasedTo: 'NULL', exportAs: 'description' },
    },
    plain:
      'id partner_id partner_customer_id merchant_id reference network asset amount network_fee total_to_send currency ' +
      'fiat_amount rate rate_at derivation_index address watch_address status received created_at expires_at updated_at ' +
      'onramp_order_id refunded_at rate_source price_plan_version_id service_fee service_fee_percent service_fee_payer ' +
      'shop_name return_url settlement',
  },
  fiat_orders: {
    personal: {
      payer_sealed: {
        erasedTo: `''`,
        exportAs: exportedPayer,
        sealed: { key: 'id', contextOf: fiatPayerContext, subject },
      },
      merchant_name: { keptBecause: 'The seller, in the accounting record of the order' },
    },
    plain:
      'id order_key partner_id partner_customer_id merchant_id integration_id kind status currency total_cents ' +
      'amount_cents service_fee_cents service_fee_percent service_fee_payer partner_fee_cents splits refunded_cents ' +
      'chargeback_cents reversed_cents merchant_reference processor processor_order_id processor_status order_url ' +
      'poll_at created_at updated_at completed_at price_plan_version_id dispute_fee_cents',
  },
  chargebacks: {
    personal: { ip_mac: { erasedTo: 'NULL', exportAs: null } },
    plain:
      'id partner_id partner_customer_id merchant_id order_id order_key processor dispute_id amount_cents currency ' +
      'fee_cents fee_currency dispute_amount_cents dispute_currency disputed_at created_at',
  },
  chargeback_cases: {
    personal: {
      value_mac: { erasedTo: `''`, exportAs: null },
      value_masked: { erasedTo: `''`, exportAs: 'value_masked' },
    },
    plain: 'id partner_id partner_customer_id kind status order_keys created_at lifted_at',
  },
  risk_alerts: {
    personal: { ip_mac: { erasedTo: WITH_ITS_ROW, exportAs: null } },
    plain: 'merchant_id alerted_at',
  },
  crypto_deposits: {
    personal: { sender: ON_CHAIN },
    plain:
      'network tx_id output_index order_id asset amount block_number confirmations seen_at counted_at block_hash ' +
      'open_amount applied_amount excess_amount late_amount foreign_amount address held_at service_fee ' +
      'settled_amount settled_cents',
  },
  order_refunds: {
    personal: { to_address: ON_CHAIN },
    plain:
      'id order_id amount sent_amount network_fee tx_id status failure created_at updated_at due_at ' +
      'unattributed_money_id asset coins sent_by_hand network key_index from_address tx_block',
  },
  unattributed_money: {
    personal: {
      sender: ON_CHAIN,
      ended_actor: { keptBecause: 'Staff: who decided on the money' },
      reason: { keptBecause: 'Staff: the reason of a decision on money' },
    },
    plain:
      'id kind unit amount order_id order_key partner_id partner_customer_id merchant_id network tx_id output_index ' +
      'address block_number block_hash processor processor_order_id received_at status ended_by ended_at ended_tx_id ' +
      'refund_id',
  },
  balance_checks: { plain: 'order_id checked_number due_number spent' },
  card_notices_taken: { plain: 'processor notice_id taken_at' },
  chain_blocks: { plain: 'network number hash' },
  chain_feed: { plain: 'only_row position holder lease_until' },
  chain_positions: { plain: 'network number hash holder lease_until final_number' },
  deposit_reversals: {
    plain: 'network tx_id output_index reverted_at block_hash block_number order_id asset amount',
  },
  dispute_standings: { plain: 'merchant_id is_over version judge_at measure' },
  fiat_refunds_seen: { plain: 'processor processor_refund_id order_id amount_cents seen_at failed_at' },
  integrations: {
    plain:
      'id partner_id partner_customer_id merchant_id name processor return_url failure_url contact_url seeded ' +
      'created_at updated_at deleted_at',
  },
  late_payments: { plain: 'id order_id network tx_id output_index received_at reverted_at' },
  order_numbers: { plain: 'name next ceiling run written_by seen_at created_in' },
  past_fact_gaps: { plain: 'subject reason found_at' },
  past_facts: { plain: 'only_row source position due_at' },
  payouts: {
    plain: 'id merchant_id amount_cents currency status scheduled_for created_at sent_at confirmed_status',
  },
  price_plan_assignments: {
    personal: { created_by: { keptBecause: 'Staff: who decided on prices' } },
    plain: 'id subject_id price_plan_id created_at',
  },
  price_plan_versions: {
    personal: { created_by: { keptBecause: 'Staff: who decided on prices' } },
    plain:
      'id price_plan_id number rules dispute_fee_cents payout_fee_cents partner_fee_max_percent use_kyb_choices ' +
      'settlement effective_at created_at',
  },
  price_plans: { plain: 'id name created_at' },
  relationships: {
    plain: 'partner_customer_id partner_id merchant_id status capabilities version kyb_choices',
  },
  skipped_addresses: { plain: 'watch_address network number' },
  skipped_numbers: { plain: 'network first ending next at' },
  unwatched_orders: { plain: 'order_id due_at' },
} as const satisfies Tables

export const SEALED_COLUMNS = sealedColumns(TABLES)

export const VAULT_USE: VaultUse = {
  columns: SEALED_COLUMNS,
  formerHashPurposes: ['payer-ip', 'payer-email', 'cursor'],
}
