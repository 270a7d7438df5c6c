import { queryMany, queryOne, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

const RevisionRecord = z.object({ revision: z.number() })

const readRevision = queryOne({
  name: 'registry.read',
  text: 'SELECT revision FROM registry',
  row: RevisionRecord,
})
const takeNextRevision = queryOne({
  name: 'registry.bump',
  text: 'UPDATE registry SET revision = revision + 1 RETURNING revision',
  row: RevisionRecord,
})

const revisionOf = (row: z.infer<typeof RevisionRecord> | null): number => {
  if (row === null) throw new Error('The table registry has no row')
  return row.revision
}

/** The revision of the last committed change. */
export const getRevision = async (db: Queryable): Promise<number> => revisionOf(await readRevision(db))

/**
 * Takes the next revision, and with it the lock that serialises all changes of partners, clients, signing keys,
 * merchants' keys and staff keys. It is the first statement of every transaction that makes such a change.
 */
export const nextRevision = async (tx: Queryable): Promise<number> => revisionOf(await takeNextRevision(tx))

/** Clients that changed, or whose partner changed, after a revision. */
export const listChangedClients = queryMany({
  name: 'registry.clients-changed',
  parameters: { afterRevision: 'bigint' },
  text: `
    SELECT client_id FROM clients WHERE revision > :afterRevision
    UNION
    SELECT clients.client_id FROM partners JOIN clients USING (partner_id)
    WHERE partners.revision > :afterRevision`,
  row: z.object({ clientId: z.string() }),
})

/** Keyed hashes of merchants' and staff keys that were revoked after a revision. */
export const listRevokedKeys = queryMany({
  name: 'registry.keys-revoked',
  parameters: { afterRevision: 'bigint' },
  text: `
    SELECT key_mac FROM merchant_api_keys WHERE revision > :afterRevision
    UNION ALL
    SELECT key_mac FROM staff_keys WHERE revision > :afterRevision`,
  row: z.object({ keyMac: z.string() }),
})
