import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export const CLIENT_ID = 'causeway-console'
export const CLIENT_SECRET = 'console-secret-for-tests'

/** The person who is signed in at the provider, as in its ID tokens. */
export type Account = { sub: string; roles: unknown }

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))

/**
 * A real identity provider (oidc-provider) on loopback. Its person is already signed in and has consented.
 * @param account the person that it signs in; a test may change it
 */
export const startIdentityProvider = async (redirectUri: () => string, account: Account) => {
  const server = createServer()
  await listen(server, 0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri()],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub', 'roles'] },
    // ID tokens carry the claims, as those of most providers of organisations do.
    conformIdTokenClaims: false,
    cookies: { keys: ['for-tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, roles: account.roles }),
    }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
  })
  const answerOidc = provider.callback()
  let state: 'up' | 'failing' = 'up'

  /** Signs the person in and consents, as a person would on the provider's pages. */
  const interact = async (...[request, response]: Parameters<typeof provider.interactionDetails>) => {
    const { prompt, params, session } = await provider.interactionDetails(request, response)
    if (prompt.name === 'login') {
      await provider.interactionFinished(request, response, { login: { accountId: account.sub } })
      return
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? account.sub,
      clientId: String(params['client_id']),
    })
    grant.addOIDCScope('openid')
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  server.on('request', (request, response) => {
    if (state === 'failing') response.writeHead(503).end()
    else if (request.url?.startsWith('/interaction/') === true) void interact(request, response)
    else void answerOidc(request, response)
  })

  return {
    issuer,
    account,
    fail: (fails: boolean) => {
      state = fails ? 'failing' : 'up'
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
export type TestIdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>
