import {
  newBearerToken,
  startLoop,
  type Clock,
  type Db,
  type Logger,
  type Loop,
  type Vault,
} from '@causeway/chassis'
import { queueMail } from '../../mail/queue.ts'
import { signInRequestContext } from '../../people/address.ts'
import { signInMail } from '../../people/mails.ts'
import { listMemberships } from '../../people/store.ts'
import { endHandling, isRequestWaiting, lockWaitingRequests } from '../store.ts'

const EVERY_MS = 2_000
const REST_MS = 50
const BATCH = 20

type Options = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  vault: Vault
  publicBaseUrl: string
  /** Called after mails were queued. */
  onQueued: () => void
}>

/** Queues the mail of each request whose address somebody has; the address is then deleted from the request. */
const handleRequests = ({ db, clock, vault, publicBaseUrl }: Options): Promise<number> =>
  db.transaction(async (tx) => {
    const requests = await lockWaitingRequests(tx, { limit: BATCH })
    for (const { signInRequestId, emailMac, emailSealed, expiresAt } of requests) {
      const now = clock.now()
      const memberships = await listMemberships(tx, { emailMac })
      if (memberships.length === 0 || expiresAt <= now) {
        await endHandling(tx, { signInRequestId, tokenHash: null })
        continue
      }
      const { token, tokenHash } = newBearerToken()
      const to = vault.open(emailSealed, signInRequestContext(signInRequestId)).toString('utf8')
      const message = signInMail(to, `${publicBaseUrl}/portal/sign-in/${token}`)
      await queueMail(tx, vault, { kind: 'sign_in_link', message, now, expiresAt })
      await endHandling(tx, { signInRequestId, tokenHash })
    }
    return requests.length
  })

/** Sends the links that browsers have asked for, on every replica. */
export const startSendingLinks = (options: Options): Loop =>
  startLoop({
    name: 'sign-in-links',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log: options.log,
    async run() {
      const { db, onQueued } = options
      if ((await isRequestWaiting(db))?.isWaiting !== true) return false
      const handled = await handleRequests(options)
      if (handled > 0) onQueued()
      return handled === BATCH
    },
  })
