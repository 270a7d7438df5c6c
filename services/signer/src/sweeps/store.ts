import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { Asset, Network } from '@causeway/contracts'
import { z } from 'zod'

/** Adds what is configured to be swept and is not known yet. */
export const insertSweeps = queryNone({
  name: 'sweeps.insert',
  parameters: { networks: 'text[]', assets: 'text[]', dueAt: 'timestamptz?' },
  text: `
    INSERT INTO sweeps (network, asset, due_at)
    SELECT s.network, s.asset, :dueAt FROM unnest(:networks, :assets) AS s (network, asset)
    ON CONFLICT (network, asset) DO UPDATE SET due_at = coalesce(sweeps.due_at, excluded.due_at)`,
})

/** Takes what is due; nobody else takes it before `leaseUntil`. */
export const claimDueSweeps = queryMany({
  name: 'sweeps.claim-due',
  parameters: { now: 'timestamptz', leaseUntil: 'timestamptz' },
  text: `
    UPDATE sweeps s SET due_at = :leaseUntil
    WHERE (s.network, s.asset) IN (
      SELECT network, asset FROM sweeps WHERE due_at <= :now ORDER BY network, asset FOR UPDATE SKIP LOCKED
    )
    RETURNING s.network, s.asset, s.after_order_id, s.again_after_order_id, s.again_pages`,
  row: z.object({
    network: Network,
    asset: Asset,
    afterOrderId: z.string().nullable(),
    againAfterOrderId: z.string().nullable(),
    againPages: z.number(),
  }),
})

/** Records how far the addresses are emptied, and when the next look is due, unless a command has come since the claim. */
export const updateSweep = queryNone({
  name: 'sweeps.update',
  parameters: {
    network: 'text',
    asset: 'text',
    leaseUntil: 'timestamptz',
    afterOrderId: 'text?',
    againAfterOrderId: 'text?',
    againPages: 'integer',
    dueAt: 'timestamptz?',
  },
  text: `
    UPDATE sweeps SET after_order_id = :afterOrderId, again_after_order_id = :againAfterOrderId,
      again_pages = :againPages, due_at = :dueAt
    WHERE network = :network AND asset = :asset AND due_at = :leaseUntil`,
})

/** Makes everything due now, for the command. @returns what was made due */
export const startSweeps = queryMany({
  name: 'sweeps.start',
  parameters: { now: 'timestamptz' },
  text: 'UPDATE sweeps SET due_at = :now RETURNING network, asset',
  row: z.object({ network: z.string(), asset: z.string() }),
})

/** Stores a sweep that is signed, before it is sent. */
export const insertSignedSweep = queryOne({
  name: 'sweeps.insert-transfer',
  parameters: {
    id: 'text',
    network: 'text',
    asset: 'text',
    toAddress: 'text',
    signed: 'text',
    networkFee: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO transfers (id, purpose, network, asset, to_address, status, signed, network_fee, created_at, updated_at,
      due_at)
    VALUES (:id, 'sweep', :network, :asset, :toAddress, 'signed', :signed, :networkFee, :now, :now, :now)
    RETURNING id`,
  row: z.object({ id: z.string() }),
})
