import { implement, refuse, reply } from '@causeway/chassis'
import { clientKeys } from '@causeway/contracts'
import type { AccessContext } from '../context.ts'
import { toClientKeys } from './jwks.ts'
import { getClientKeys, replaceClientKeys, type ClientKey } from './store.ts'

const present = (keys: readonly ClientKey[]) => ({ jwks: { keys: keys.map(({ jwk }) => jwk) } })

/** `gateway.client-keys`: public keys with which clients authenticate (decisions §24). */
export const clientKeyOperations = ({ db, changeFeed, recordEnd }: AccessContext) =>
  implement(clientKeys, {
    async get({ params: { clientId } }) {
      const found = await getClientKeys(db, { clientId })
      return found === null ? refuse('resource_not_found') : reply(present(found.keys))
    },

    async replace({ params: { clientId }, body, requestId, caller }) {
      const validated = await toClientKeys(body.jwks)
      if (!validated.ok) return refuse('invalid_request', validated.details)
      const { keys } = validated
      return changeFeed.transaction(async (tx, revision) => {
        const before = await getClientKeys(tx, { clientId })
        if (before === null) return refuse('resource_not_found')
        await replaceClientKeys(tx, { clientId, keys: JSON.stringify(keys), revision })
        const end = { before: present(before.keys), after: present(keys) }
        return recordEnd(tx, { requestId, caller }, end, reply(end.after))
      })
    },
  })
