import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { Network, PayoutWalletKind, PayoutWalletStatus } from '@causeway/contracts'
import { z } from 'zod'

const WalletRow = z.object({
  payoutWalletId: z.string(),
  partnerCustomerId: z.string(),
  partnerId: z.string(),
  merchantId: z.string(),
  kind: PayoutWalletKind,
  unit: z.string(),
  masked: z.string(),
  network: Network.nullable(),
  address: z.string().nullable(),
  status: PayoutWalletStatus,
  refusalReason: z.string().nullable(),
  confirmedAt: z.date().nullable(),
  provedAt: z.date().nullable(),
  usableFrom: z.date(),
  createdAt: z.date(),
})
export type WalletRow = Readonly<z.infer<typeof WalletRow>>

const COLUMNS = `
  w.payout_wallet_id, w.partner_customer_id, r.partner_id, r.merchant_id, w.kind, w.unit, w.masked, w.network, w.address,
  w.status, w.refusal_reason, w.confirmed_at, w.proved_at, w.usable_from, w.created_at`
const WALLETS = `
  payout_wallets AS w JOIN relationships AS r ON r.partner_customer_id = w.partner_customer_id`

const ofCustomer = { partnerId: 'text', partnerCustomerId: 'text' } as const
const IS_OF_CUSTOMER = `
  w.partner_customer_id = :partnerCustomerId AND r.partner_id = :partnerId AND r.status = 'active'
  AND 'payout_wallets' = ANY (r.grants) AND w.deleted_at IS NULL`

/**
 * Locks a relationship of the partner that has granted the capability, so that its wallets are counted and added one after
 * another. Null for any other one.
 */
export const lockOwner = queryOne({
  name: 'payout-wallets.lock-owner',
  parameters: ofCustomer,
  text: `
    SELECT r.partner_id, r.merchant_id FROM relationships AS r
    WHERE r.partner_customer_id = :partnerCustomerId AND r.partner_id = :partnerId AND r.status = 'active'
      AND 'payout_wallets' = ANY (r.grants)
    FOR NO KEY UPDATE`,
  row: z.object({ partnerId: z.string(), merchantId: z.string() }),
})

export const countWallets = queryOne({
  name: 'payout-wallets.count',
  parameters: { partnerCustomerId: 'text' },
  text: `
    SELECT count(*)::integer AS count FROM payout_wallets
    WHERE partner_customer_id = :partnerCustomerId AND deleted_at IS NULL`,
  row: z.object({ count: z.number() }),
})

export const insert = queryNone({
  name: 'payout-wallets.insert',
  parameters: {
    payoutWalletId: 'text',
    partnerCustomerId: 'text',
    kind: 'text',
    unit: 'text',
    masked: 'text',
    network: 'text?',
    address: 'text?',
    accountSealed: 'text?',
    status: 'text',
    usableFrom: 'timestamptz',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO payout_wallets (payout_wallet_id, partner_customer_id, kind, unit, masked, network, address,
      account_sealed, status, usable_from, created_at)
    VALUES (:payoutWalletId, :partnerCustomerId, :kind, :unit, :masked, :network, :address, :accountSealed, :status,
      :usableFrom, :now)`,
})

/** The wallets of a customer that has granted the capability, newest first. */
export const list = queryMany({
  name: 'payout-wallets.list',
  parameters: ofCustomer,
  text: `
    SELECT ${COLUMNS} FROM ${WALLETS} WHERE ${IS_OF_CUSTOMER} ORDER BY w.created_at DESC, w.payout_wallet_id DESC`,
  row: WalletRow,
})

const ofWallet = { ...ofCustomer, payoutWalletId: 'text' } as const

export const get = queryOne({
  name: 'payout-wallets.get',
  parameters: ofWallet,
  text: `SELECT ${COLUMNS} FROM ${WALLETS} WHERE ${IS_OF_CUSTOMER} AND w.payout_wallet_id = :payoutWalletId`,
  row: WalletRow,
})

/** The same, locked: nobody deletes or changes it before the transaction ends. */
export const lock = queryOne({
  name: 'payout-wallets.lock',
  parameters: ofWallet,
  text: `
    SELECT ${COLUMNS} FROM ${WALLETS} WHERE ${IS_OF_CUSTOMER} AND w.payout_wallet_id = :payoutWalletId
    FOR NO KEY UPDATE OF w`,
  row: WalletRow,
})

/** A wallet of any customer that is not deleted, locked, for staff. */
export const lockByStaff = queryOne({
  name: 'payout-wallets.lock-by-staff',
  parameters: { payoutWalletId: 'text' },
  text: `
    SELECT ${COLUMNS} FROM ${WALLETS} WHERE w.payout_wallet_id = :payoutWalletId AND w.deleted_at IS NULL
    FOR NO KEY UPDATE OF w`,
  row: WalletRow,
})

/** Wallets of one status of all customers, oldest first, after a position. */
export const listPage = queryMany({
  name: 'payout-wallets.list-by-staff',
  parameters: { status: 'text', at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    SELECT ${COLUMNS} FROM ${WALLETS}
    WHERE w.status = :status AND w.deleted_at IS NULL AND (w.created_at, w.payout_wallet_id) > (:at, :id)
    ORDER BY w.created_at, w.payout_wallet_id LIMIT :limit`,
  row: WalletRow,
})

/** Stores the standing of a locked wallet. */
export const updateStanding = queryNone({
  name: 'payout-wallets.update-standing',
  parameters: {
    payoutWalletId: 'text',
    status: 'text',
    refusalReason: 'text?',
    confirmedAt: 'timestamptz?',
    provedAt: 'timestamptz?',
  },
  text: `
    UPDATE payout_wallets SET status = :status, refusal_reason = :refusalReason, confirmed_at = :confirmedAt,
      proved_at = :provedAt
    WHERE payout_wallet_id = :payoutWalletId`,
})

export const markDeleted = queryNone({
  name: 'payout-wallets.delete',
  parameters: { payoutWalletId: 'text', now: 'timestamptz' },
  text: 'UPDATE payout_wallets SET deleted_at = :now WHERE payout_wallet_id = :payoutWalletId',
})

/** Activates wallets whose waiting time is over and that somebody has vouched for, of customers that are not revoked. */
export const activateDue = queryMany({
  name: 'payout-wallets.activate-due',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: `
    WITH due AS (
      SELECT w.payout_wallet_id FROM ${WALLETS}
      WHERE w.status = 'waiting' AND w.deleted_at IS NULL AND w.usable_from <= :now
        AND (w.confirmed_at IS NOT NULL OR w.proved_at IS NOT NULL) AND r.status = 'active'
      ORDER BY w.usable_from LIMIT :limit FOR NO KEY UPDATE OF w SKIP LOCKED
    )
    UPDATE payout_wallets AS w SET status = 'active'
    FROM due, relationships AS r
    WHERE w.payout_wallet_id = due.payout_wallet_id AND r.partner_customer_id = w.partner_customer_id
    RETURNING ${COLUMNS}`,
  row: WalletRow,
})

/**
 * Erases the account, or the address, of deleted wallets, and destroys their keys; not while a payout to one is under way.
 * The shortened form stays with the records of payouts.
 */
export const eraseDeleted = queryMany({
  name: 'payout-wallets.erase-deleted',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: `
    WITH due AS (
      SELECT w.payout_wallet_id FROM payout_wallets AS w
      WHERE w.deleted_at IS NOT NULL AND w.erased_at IS NULL AND NOT EXISTS (
        SELECT FROM payouts AS p WHERE p.payout_wallet_id = w.payout_wallet_id AND p.status IN ('upcoming', 'sent'))
      ORDER BY w.deleted_at LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED
    ), destroyed AS (
      DELETE FROM data_keys USING due WHERE subject = due.payout_wallet_id
    )
    UPDATE payout_wallets AS w SET account_sealed = NULL, address = NULL, erased_at = :now
    FROM due WHERE w.payout_wallet_id = due.payout_wallet_id
    RETURNING w.payout_wallet_id`,
  row: z.object({ payoutWalletId: z.string() }),
})
