import { implement, refuse, reply } from '@causeway/chassis'
import { accessOauth } from '@causeway/contracts'
import { tokenPaths } from '@causeway/contracts/http'
import { secretIdOf } from '../clients/secrets.ts'
import type { AccessContext } from '../context.ts'
import { claimedClient, createClientAuthentication } from './client-authentication.ts'
import { findRevokedToken, getEffectiveClient, revokeToken } from './store.ts'
import { createTokenIssuer } from './token-issuer.ts'

/** Audiences of client assertions that this server accepts: the issuer, and the addresses of the endpoints. */
const audienceOf = (baseUrl: string): string[] =>
  ['', tokenPaths.issue.path, tokenPaths.revoke.path].map((path) => `${baseUrl}${path}`)

type Options = Readonly<{ publicBaseUrl: string; tokenTtlMs: number }>

/** `access.oauth`: access tokens of clients, and the keys that sign them. */
export const oauthOperations = (context: AccessContext, { publicBaseUrl, tokenTtlMs }: Options) => {
  const { db, keyring, changeFeed } = context
  const authenticate = createClientAuthentication({ ...context, audience: audienceOf(publicBaseUrl) })
  const issuer = createTokenIssuer({ ...context, issuer: publicBaseUrl, tokenTtlMs })
  return implement(accessOauth, {
    async authenticateClient({ body: { credentials } }) {
      const client = await authenticate(credentials)
      const claimed_client_id = claimedClient(credentials)
      if (client === null) return reply({ client: null, claimed_client_id })
      const { clientId, credentialId, allowedAddresses } = client
      return reply({
        client: { client_id: clientId, credential_id: credentialId, allowed_addresses: allowedAddresses },
        claimed_client_id,
      })
    },

    async issueToken({ body: { client_id: clientId, credential_id: credentialId, scope }, now }) {
      const client = await getEffectiveClient(db, { clientId, now })
      const live = [
        ...(client?.secrets ?? []).map(({ mac }) => secretIdOf(mac)),
        ...(client?.keys ?? []).map((key) => key.credential_id),
      ]
      if (client?.active !== true || !live.includes(credentialId)) return refuse('resource_not_found')
      return reply({ token: await issuer.issue({ ...client, credentialId }, scope) })
    },

    async revokeToken({ body: { token_id: jti, client_id: clientId, expires_at: expiresAt } }) {
      if ((await findRevokedToken(db, { jti })) === null)
        await changeFeed.transaction((tx, revision) =>
          revokeToken(tx, { jti, clientId, expiresAt: new Date(expiresAt), revision }),
        )
      return reply({})
    },

    async listSigningKeys() {
      // Another replica may have rotated them.
      await keyring.load()
      return reply({ keys: keyring.jwks() })
    },
  })
}
