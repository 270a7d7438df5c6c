import { queryNone, queryOne } from '@causeway/chassis'
import { ClientJwk } from '@causeway/contracts'
import { z } from 'zod'

/** A public key of a client with its credential id, which tokens carry. The JSON of `clients.keys` has this shape. */
export const ClientKey = z.object({
  credential_id: z.string(),
  jwk: z.intersection(z.object({ kid: z.string() }), ClientJwk),
})
export type ClientKey = z.infer<typeof ClientKey>

/** The public keys of a client; null when there is no such client. */
export const getClientKeys = queryOne({
  name: 'clients.read-keys',
  parameters: { clientId: 'text' },
  text: 'SELECT keys FROM clients WHERE client_id = :clientId',
  row: z.object({ keys: z.array(ClientKey) }),
})

/** Replaces all keys of a client, under a revision of the change feed. @param keys JSON of an array of ClientKey */
export const replaceClientKeys = queryNone({
  name: 'clients.replace-keys',
  parameters: { clientId: 'text', keys: 'jsonb', revision: 'bigint' },
  text: 'UPDATE clients SET keys = :keys, revision = :revision WHERE client_id = :clientId',
})
