import { isId, NotDoneError, type ServiceClient } from '@causeway/chassis'
import {
  accessCredentials,
  accessOauth,
  accessPartners,
  accessSignIn,
  type Operation,
  type PresentedCredentials,
  type SignInAttempt,
} from '@causeway/contracts'
import type { z } from 'zod'

/** Calls an operation of access. @throws NotDoneError when access is unavailable */
export const createAsk =
  (ask: ServiceClient) =>
  async <O extends Operation>(operation: O, body: z.input<O['body']>): Promise<z.output<O['reply']>> => {
    const answer = await ask(operation, body)
    if (answer.ok) return answer.value
    const message = `${operation.subject} answered ${answer.code}`
    throw answer.code === 'temporarily_unavailable' ? new NotDoneError(message) : new Error(message)
  }

/** The key, or why it is not valid. */
const keyOrFault = <K>({ key, revoked }: Readonly<{ key: K | null; revoked?: boolean | undefined }>) =>
  key ?? (revoked === true ? ('revoked' as const) : ('unknown' as const))

/** Asks access about credentials, tokens, partners and sign-ins. */
export const createAccessClient = (ask: ServiceClient) => {
  const read = createAsk(ask)
  return {
    listChanges: (afterRevision: number | null) =>
      read(accessCredentials.listChanges, { after_revision: afterRevision }),
    findTokenClient: async (clientId: string) =>
      (await read(accessCredentials.findTokenClient, { client_id: clientId })).client,
    findMerchantKey: async (key: string) =>
      keyOrFault(await read(accessCredentials.findMerchantKey, { key })),
    findStaffKey: async (key: string) => keyOrFault(await read(accessCredentials.findStaffKey, { key })),
    listSigningKeys: async () => (await read(accessOauth.listSigningKeys, undefined)).keys,
    authenticateClient: (credentials: PresentedCredentials) =>
      read(accessOauth.authenticateClient, { credentials }),
    /** Null when the client does not hold a scope that it asks for; `ended`: its credential has ended since. */
    async issueToken(client: Readonly<{ client_id: string; credential_id: string }>, scope: string | null) {
      const { client_id, credential_id } = client
      const answer = await ask(accessOauth.issueToken, { client_id, credential_id, scope })
      if (answer.ok) return answer.value.token
      if (answer.code === 'resource_not_found') return 'ended'
      throw new NotDoneError(`${accessOauth.issueToken.subject} answered ${answer.code}`)
    },
    revokeToken: (token: Readonly<{ tokenId: string; clientId: string; expiresAt: Date }>) =>
      read(accessOauth.revokeToken, {
        token_id: token.tokenId,
        client_id: token.clientId,
        expires_at: token.expiresAt.toISOString(),
      }),
    /** Null without such a partner. */
    findPartner: async (partnerId: string) => {
      if (!isId('partner', partnerId)) return null
      const answer = await ask(accessPartners.get, { partner_id: partnerId })
      if (answer.ok) return answer.value
      if (answer.code === 'resource_not_found') return null
      throw new NotDoneError(`${accessPartners.get.subject} answered ${answer.code}`)
    },
    /** Null: the identity provider is unavailable. */
    beginSignIn: async () => (await read(accessSignIn.begin, undefined)).begun,
    finishSignIn: async (search: string, attempt: SignInAttempt) =>
      (await read(accessSignIn.finish, { search, attempt })).person,
  }
}

export type AccessClient = ReturnType<typeof createAccessClient>
