/**
 * Payments without its check of idempotency keys: each call's key is its own, as if nobody compared them. A soak that
 * finds nothing here would find nothing.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const MODULE = '/packages/chassis/src/idempotency/key-use.ts'
/** The original code and its replacement: made from the key and the request's id. */
const CHECKED = '({ partnerId, operation, key }: KeyId): KeyId => ({ partnerId, operation, key })'
const UNCHECKED =
  '(use: KeyId): KeyId => ({ partnerId: use.partnerId, operation: use.operation, key: unchecked(use) })'
const CLAIMED = '...use,\n  leaseUntil,'
const UNCLAIMED = '...use,\n  key: unchecked(use),\n  leaseUntil,'
const HELPER = '\nconst unchecked = (use: any): string => `${use.key} ${use.requestId}`\n'

registerHooks({
  load: (url, context, next) => {
    if (!url.endsWith(MODULE)) return next(url, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    if (!source.includes(CHECKED) || !source.includes(CLAIMED))
      throw new Error(`${MODULE} has changed: say here how its check is removed`)
    const broken = source.replace(CHECKED, UNCHECKED).replace(CLAIMED, UNCLAIMED) + HELPER
    return { format: 'module-typescript', source: broken, shortCircuit: true }
  },
})
await import('../../../services/payments/src/main.ts')
