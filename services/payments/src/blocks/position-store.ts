import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { Network } from '@causeway/contracts'
import { z } from 'zod'

/** The last block that was read; nulls before the first. */
const Position = z.object({ number: z.number().nullable(), hash: z.string().nullable() })
export type Position = Readonly<z.infer<typeof Position>>

/** Claims or renews a network's lease. @returns its position, or null while another replica holds the lease */
export const claimPosition = queryOne({
  name: 'chain-positions.claim',
  parameters: { network: 'text', holder: 'text', now: 'timestamptz', leaseUntil: 'timestamptz' },
  text: `
    INSERT INTO chain_positions AS known (network, holder, lease_until) VALUES (:network, :holder, :leaseUntil)
    ON CONFLICT (network) DO UPDATE SET holder = :holder, lease_until = :leaseUntil
      WHERE known.holder = :holder OR known.holder IS NULL OR known.lease_until < :now
    RETURNING number, hash`,
  row: Position,
})

/** Networks that nodes were read of, but these, with the number of their orders that may still be paid. */
export const listFormerNetworks = queryMany({
  name: 'chain-positions.list-former',
  parameters: { networksLive: 'text[]' },
  text: `
    SELECT p.network, (
        SELECT count(*)::integer FROM crypto_orders o
        WHERE o.network = p.network AND o.status IN ('pending', 'underpaid'))
      AS open_orders
    FROM chain_positions p WHERE p.network <> ALL (:networksLive) ORDER BY p.network`,
  row: z.object({ network: Network, openOrders: z.number() }),
})

/**
 * Renews the lease; null where another replica holds it, or a transaction of the holder's own holds the row, which keeps
 * others out as well.
 */
export const renewPosition = queryOne({
  name: 'chain-positions.renew',
  parameters: { network: 'text', holder: 'text', leaseUntil: 'timestamptz' },
  text: `
    UPDATE chain_positions SET lease_until = :leaseUntil
    WHERE network IN (
      SELECT network FROM chain_positions WHERE network = :network AND holder = :holder FOR UPDATE SKIP LOCKED
    )
    RETURNING network`,
  row: z.object({ network: z.string() }),
})

/** Moves the position; null when another replica has taken over or was faster. */
export const movePosition = queryOne({
  name: 'chain-positions.move',
  parameters: { network: 'text', holder: 'text', fromHash: 'text?', toNumber: 'bigint', toHash: 'text' },
  text: `
    UPDATE chain_positions
    SET number = :toNumber, hash = :toHash, final_number = least(final_number, :toNumber)
    WHERE network = :network AND holder = :holder AND hash IS NOT DISTINCT FROM :fromHash
    RETURNING number, hash`,
  row: Position,
})

/** Locks the position to the end of the transaction; null when another replica has taken over. */
export const lockPosition = queryOne({
  name: 'chain-positions.lock',
  parameters: { network: 'text', holder: 'text' },
  text: `
    SELECT number, hash FROM chain_positions WHERE network = :network AND holder = :holder FOR UPDATE`,
  row: Position,
})

/** Blocks up to this number were asked for a last time. */
export const markFinal = queryNone({
  name: 'chain-positions.mark-final',
  parameters: { network: 'text', number: 'bigint' },
  text: 'UPDATE chain_positions SET final_number = :number WHERE network = :network',
})

/** Releases the leases of a replica, so that another one can read immediately. */
export const releasePositions = queryNone({
  name: 'chain-positions.release',
  parameters: { holder: 'text' },
  text: "UPDATE chain_positions SET holder = NULL, lease_until = '-infinity' WHERE holder = :holder",
})
