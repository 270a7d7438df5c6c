import {
  createCursors,
  createServiceClient,
  operatorActorOf,
  type Implementation,
  type Running,
  type ServiceClient,
  type ServiceContext,
} from '@causeway/chassis'
import { startService } from '@causeway/chassis/database'
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
import { createMailAlarm } from './mail/alarm.ts'
import { startSendingMail, startTendingMail } from './mail/jobs/send.ts'
import { createSendMail } from './mail/transport.ts'
import { startFailingWebhooks } from './notices/jobs/failing-webhooks.ts'
import { consumeNotices } from './notices/reactions.ts'
import { portalPeopleOperations } from './people/operations.ts'
import { startSendingLinks } from './portal-sign-in/jobs/send-links.ts'
import { portalSignInOperations } from './portal-sign-in/operations.ts'
import { screenSessionOperations } from './sessions/operations.ts'
import { signInOperations } from './sign-in/operations.ts'
import { staffActionOperations } from './staff-actions.ts'
import { startKeyRotation } from './signing-keys/jobs/rotation.ts'
import { VAULT_USE } from './columns.ts'
import { createKeyring } from './signing-keys/keyring.ts'

const NAME = 'access'
/** Timeout of requests that access sends for itself; a lost one is soon retried. */
const ASK_TIMEOUT_MS = 1_000
const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

/** Creates what the folders of access share. */
const createContext = (connections: ServiceContext, config: AccessConfig): AccessContext => {
  const { tokenTtlMs, rotateKeysAfterMs: rotateAfterMs } = config
  return {
    ...connections,
    cursors: createCursors(connections.vault),
    keyring: createKeyring({ ...connections, tokenTtlMs, rotateAfterMs }),
    changeFeed: createChangeFeed(connections),
    recordEnd: createRecordEnd(connections.vault),
    mailAlarm: createMailAlarm(),
  }
}

/** Every operation of access. */
const createOperations = (
  context: AccessContext,
  config: AccessConfig,
  onRequest: () => void,
): Implementation[] => {
  const sendsMail = config.mail !== null
  const operatorActor = operatorActorOf(config.operatorKey)
  return [
    ...credentialOperations(context),
    ...oauthOperations(context, config),
    ...screenSessionOperations(context, { ...config, operatorActor }),
    ...signInOperations(context, config),
    ...portalSignInOperations(context, { ...config, sendsMail, onRequest }),
    ...portalPeopleOperations(context, { ...config, sendsMail }),
    ...partnerLookUps(context),
    ...staffActionOperations(context, config, operatorActor),
  ]
}

/** The jobs of mail; without a server nothing is queued. */
const startMail = (context: AccessContext, { mail, publicBaseUrl }: AccessConfig, ask: ServiceClient) => {
  if (mail === null) return { loops: [], onRequest: () => undefined }
  const sending = startSendingMail({ ...context, send: createSendMail(mail) })
  const links = startSendingLinks({ ...context, publicBaseUrl, onQueued: sending.wake })
  context.mailAlarm.onRing(sending.wake)
  const failing = startFailingWebhooks({ ...context, ask, publicBaseUrl })
  return { loops: [sending, links, startTendingMail(context), failing], onRequest: links.wake }
}

/** Follows changes, starts the jobs and builds the operations. */
const build = (config: AccessConfig) => async (connections: ServiceContext) => {
  const context = createContext(connections, config)
  const { keyring, changeFeed } = context
  changeFeed.onChange(keyring.load)
  await changeFeed.start()
  await keyring.rotate()
  await keyring.load()
  const ask = createServiceClient({ ...connections, timeoutMs: ASK_TIMEOUT_MS })
  const jobs = [startKeyRotation(context), startCredentialPurge(context, config), startAuditHead(context)]
  const mail = startMail(context, config, ask)
  const notices = consumeNotices({
    ...context,
    ask,
    publicBaseUrl: config.publicBaseUrl,
    sendsMail: config.mail !== null,
  })
  const disabledPartners = startSendingDisabledPartners({ ...context, ask })
  return {
    operations: createOperations(context, config, mail.onRequest),
    async stop() {
      for (const job of jobs) job.stop()
      await Promise.all([notices.stop(), disabledPartners.stop(), ...mail.loops.map((loop) => loop.stop())])
      await changeFeed.stop()
    },
  }
}

/** Starts the service access. */
export const startAccess = (config: AccessConfig): Promise<Running> =>
  startService({ name: NAME, migrations: MIGRATIONS, keys: VAULT_USE, build: build(config) }, config)
