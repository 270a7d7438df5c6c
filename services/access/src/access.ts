import { equalInConstantTime } from '@causeway/chassis'
import { pendingActions } from '@causeway/contracts'
import { tokenPaths } from '@causeway/contracts/http'
import type { AccessConfig } from './config.ts'
import type { AccessContext } from './context.ts'
import { macOfApiKey } from './api-keys/key.ts'
import { findApiKey } from './api-keys/store.ts'
import { createAuditTrail } from './audit/trail.ts'
import type { Change } from './change-feed/change-feed.ts'
import { createClientAuthentication, type AuthenticatedClient } from './oauth/client-authentication.ts'
import { findTokenClient } from './oauth/token-client.ts'
import { createTokenIssuer } from './oauth/token-issuer.ts'
import { revokeIssuedToken } from './oauth/token-revocation.ts'
import { createIdentityProvider, SIGN_IN_CALLBACK_PATH } from './oidc/provider.ts'
import { createOwnOperations, recordedOperations } from './own-operations.ts'
import { getPartner } from './partners/store.ts'
import type { Owners } from './pending-actions/staff-call.ts'
import { createSessions } from './sessions/sessions.ts'
import { operatorActorOf } from './staff-keys/actors.ts'
import { findUsedStaffKey } from './staff-keys/look-up.ts'

/*
 * The edge imports nothing of access except this file and rules.ts (a rule of dependency-cruiser). Most of what it
 * calls here becomes a request on the bus when access gets its own process, so add a function only if its arguments and
 * its result can be sent.
 */
export type { AuditTrail } from './audit/trail.ts'
export { ASSERTION_ALGORITHMS } from './oauth/client-assertion.ts'
export {
  claimedClient,
  type AuthenticatedClient,
  type PresentedCredentials,
} from './oauth/client-authentication.ts'
export type { TokenClient } from './oauth/token-client.ts'
export type { Attempt, IdentityProvider, ProviderFault } from './oidc/provider.ts'
export type { OwnOperations } from './own-operations.ts'
export type { StaffCall } from './pending-actions/staff-call.ts'
export { actorOf, type Sessions } from './sessions/sessions.ts'

/** Audiences of client assertions that this server accepts. */
const assertionAudience = (baseUrl: string): string[] =>
  ['', tokenPaths.issue.path, tokenPaths.revoke.path].map((path) => `${baseUrl}${path}`)

/** Tokens of clients, and the keys that sign them. */
const createTokens = (context: AccessContext, config: AccessConfig) => {
  const { keyring } = context
  const { publicBaseUrl, tokenTtlMs } = config
  const issuer = createTokenIssuer({ ...context, issuer: publicBaseUrl, tokenTtlMs })
  return {
    findTokenClient: (clientId: string, jti: string) => findTokenClient(context, clientId, jti),
    findSigningKey: (kid: string | undefined) => keyring.find(kid),
    signingKeys: () => keyring.jwks(),
    authenticateClient: createClientAuthentication({
      ...context,
      audience: assertionAudience(publicBaseUrl),
    }),
    /** Returns null when the client does not hold a scope that it asks for. */
    issueToken: (client: AuthenticatedClient, scope: string | null) => issuer.issue(client, scope),
    revokeToken: (token: Parameters<typeof revokeIssuedToken>[1]) => revokeIssuedToken(context, token),
  }
}

/** Finds a merchant's key by its keyed hash; null when it was never issued or is revoked. */
async function findMerchantKey({ db, vault }: AccessContext, key: string) {
  const keyMac = macOfApiKey(vault, key)
  const found = await findApiKey(db, { keyMac })
  return found !== null && equalInConstantTime(found.keyMac, keyMac) ? found : null
}

/** Partners, clients, keys, staff, sign-in, sessions, tokens, the audit log and pending actions. */
export const createAccess = (context: AccessContext, config: AccessConfig) => {
  const { db, clock, log, keyring, changeFeed } = context
  const { oidc, publicBaseUrl, consoleBaseUrl, staffIdleAfterMs } = config
  const operatorActor = operatorActorOf(config.operatorKey)
  const subjects = recordedOperations(context, config).map(({ operation }) => operation.subject)
  const ownSubjects = new Set([...subjects, pendingActions.takeResult.subject])
  const audit = createAuditTrail({ db, clock, log, ownSubjects })
  const callbackUrl = `${consoleBaseUrl ?? publicBaseUrl}${SIGN_IN_CALLBACK_PATH}`
  return {
    ...createTokens(context, config),
    /** Id of the key of the setting in the audit log. */
    operatorActor,
    findMerchantKey: (key: string) => findMerchantKey(context, key),
    findStaffKey: (key: string) => findUsedStaffKey(context, key),
    findPartner: (partnerId: string) => getPartner(db, { partnerId }),
    sessions: createSessions({ db, clock, operatorActor, staffIdleAfterMs }),
    /** Where staff sign in; null: by their keys. */
    identityProvider: oidc === null ? null : createIdentityProvider(oidc, callbackUrl, log),
    audit,
    createOperations: (owners: Owners) =>
      createOwnOperations(context, config, { audit, operatorActor, owners }),
    /** Calls the listener with each change of clients and keys, on every replica. */
    onChange: (listener: (change: Change) => void) =>
      changeFeed.onChange(async (change) => {
        listener(change)
        await keyring.load()
      }),
  }
}

export type Access = ReturnType<typeof createAccess>
