import {
  createCursors,
  createLocalRelay,
  createServiceClient,
  operatorActorOf,
  type LocalRelay,
  type ProcessContext,
  type Vault,
} from '@causeway/chassis'
import { fileURLToPath } from 'node:url'
import type { AccessConfig } from './config.ts'
import type { AccessContext } from './context.ts'
import { startAuditHead } from './audit/jobs/publish-head.ts'
import { createChangeFeed } from './change-feed/change-feed.ts'
import { credentialOperations } from './credentials/operations.ts'
import { startCredentialPurge } from './oauth/jobs/purge.ts'
import { oauthOperations } from './oauth/operations.ts'
import { partnerLookUps } from './partners/operations.ts'
import { startSendingDisabledPartners } from './partners/jobs/send-disabled.ts'
import { createRecordEnd } from './pending-actions/record-end.ts'
import { screenSessionOperations } from './sessions/operations.ts'
import { signInOperations } from './sign-in/operations.ts'
import { staffActionOperations } from './staff-actions.ts'
import { startKeyRotation } from './signing-keys/jobs/rotation.ts'
import { createKeyring } from './signing-keys/keyring.ts'

export { VAULT_USE } from './columns.ts'

/** Sender of the requests that access sends for itself: it shares the NATS user of the gateway. */
const SENDER = 'gateway'
/** Timeout of requests that access sends for itself; a lost one is soon retried. */
const ASK_TIMEOUT_MS = 1_000
/** Folder of the SQL migrations of access. */
export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

type Connections = ProcessContext & Readonly<{ vault: Vault }>

/** Creates what the folders of access share. */
const createContext = (connections: Connections, config: AccessConfig): AccessContext => {
  const { tokenTtlMs, rotateKeysAfterMs: rotateAfterMs } = config
  return {
    ...connections,
    cursors: createCursors(connections.vault),
    keyring: createKeyring({ ...connections, tokenTtlMs, rotateAfterMs }),
    changeFeed: createChangeFeed(connections),
    recordEnd: createRecordEnd(connections.vault),
  }
}

/** Every operation of access. */
const serveOperations = (context: AccessContext, config: AccessConfig): LocalRelay => {
  const { checkReplies = false } = config
  const operatorActor = operatorActorOf(config.operatorKey)
  const operations = [
    ...credentialOperations(context),
    ...oauthOperations(context, config),
    ...screenSessionOperations(context, { ...config, operatorActor }),
    ...signInOperations(context, config),
    ...partnerLookUps(context),
    ...staffActionOperations(context, config, operatorActor),
  ]
  return createLocalRelay(operations, { ...context, checkReplies })
}

/** Builds access in the process of the edge. */
export const buildAccess = (connections: Connections, config: AccessConfig) => {
  const context = createContext(connections, config)
  const { keyring, changeFeed } = context
  changeFeed.onChange(keyring.load)
  return {
    /** Answers the operations of access in this process. */
    local: serveOperations(context, config),
    /** Follows changes and starts the jobs. @returns what stops them */
    start: async () => {
      await changeFeed.start()
      await keyring.rotate()
      await keyring.load()
      const ask = createServiceClient({ ...connections, service: SENDER, timeoutMs: ASK_TIMEOUT_MS })
      const jobs = [startKeyRotation(context), startCredentialPurge(context, config), startAuditHead(context)]
      const disabledPartners = startSendingDisabledPartners({ ...context, ask })
      return async () => {
        for (const job of jobs) job.stop()
        await disabledPartners.stop()
        await changeFeed.stop()
      }
    },
  }
}
