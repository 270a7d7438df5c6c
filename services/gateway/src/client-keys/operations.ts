import { implement, refuse, reply } from '@causeway/chassis'
import { clientKeys } from '@causeway/contracts'
import { toClientKeys } from './jwks.ts'
import { auditStore } from '../audit/store.ts'
import { clientStore, type ClientKey } from '../clients/store.ts'
import { registryStore } from '../change-feed/store.ts'
import type { OperationContext } from '../partners/operations.ts'

const present = (keys: readonly ClientKey[]) => ({ jwks: { keys: keys.map(({ jwk }) => jwk) } })

/** `gateway.client-keys`: public keys by which clients authenticate (decisions §24). */
export const clientKeyOperations = ({ db, registry }: Pick<OperationContext, 'db' | 'registry'>) =>
  implement(clientKeys, {
    async read({ params }) {
      const keys = await clientStore.keys(db, params.clientId)
      return keys === null ? refuse('resource_not_found') : reply(present(keys))
    },

    async replace({ params, body, requestId }) {
      const made = await toClientKeys(body.jwks)
      if (!made.ok) return refuse('invalid_request', made.details)
      const outcome = await db.transaction(async (tx) => {
        const revision = await registryStore.bump(tx)
        const before = await clientStore.keys(tx, params.clientId)
        if (before === null) return refuse('resource_not_found')
        await clientStore.replaceKeys(tx, params.clientId, made.keys, revision)
        const after = present(made.keys)
        await auditStore.finish(tx, requestId, { target: null, before: present(before), after })
        return reply(after)
      })
      await registry.changed()
      return outcome
    },
  })
