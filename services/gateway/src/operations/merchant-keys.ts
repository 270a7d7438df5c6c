import { call, implement, refuse, reply, type Bus, type Clock, type Db, type Vault } from '@causeway/chassis'
import { apiKeys, merchants } from '@causeway/contracts'
import { macOfMerchantKey, newMerchantKey } from '../auth/merchant-keys.ts'
import { auditStore } from '../store/audit.ts'
import { merchantKeyStore } from '../store/merchant-keys.ts'

type Ground = Readonly<{ db: Db; bus: Bus; clock: Clock; vault: Vault }>

/** `gateway.apiKeys` (decisions §14). Merchants are onboarding's: it is asked whether one exists. */
export const merchantKeyOperations = ({ db, bus, clock, vault }: Ground, timeoutMs: number) =>
  implement(apiKeys, {
    async create({ caller, params, requestId, now }) {
      const found = await call(bus, clock, merchants.read, {
        caller,
        requestId,
        timeoutMs,
        safe: true,
        params,
      })
      if (!found.ok)
        return refuse(found.code === 'resource_not_found' ? 'resource_not_found' : 'temporarily_unavailable')
      const key = newMerchantKey()
      await db.transaction(async (tx) => {
        await merchantKeyStore.insert(tx, macOfMerchantKey(vault, key), params.customerId, now)
        const after = { customer_id: params.customerId }
        await auditStore.finish(tx, requestId, { target: null, before: null, after })
      })
      return reply({ api_key: key })
    },
  })
