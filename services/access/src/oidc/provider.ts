import type { Logger } from '@causeway/chassis'
import type { SignInAttempt, SignInFault } from '@causeway/contracts'
import * as client from 'openid-client'
import { personOf, type Person } from './person.ts'
import type { OidcConfig } from './settings.ts'

/** Seconds for each call of the provider. */
const TIMEOUT_SECONDS = 5
const SCOPE = 'openid'

/** The provider did not answer, or said that it cannot. */
class ProviderUnavailableError extends Error {
  override readonly name = 'ProviderUnavailableError'
}

const callProvider: client.CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit).catch((cause: unknown) => {
    throw new ProviderUnavailableError('The identity provider did not answer', { cause })
  })
  if (answer.status >= 500)
    throw new ProviderUnavailableError(`The identity provider answered ${answer.status}`)
  return answer
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof ProviderUnavailableError || (error instanceof Error && isUnavailable(error.cause))

const discover = ({ issuer, clientId, clientSecret }: OidcConfig): Promise<client.Configuration> =>
  client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: callProvider,
    execute: [
      // The signature of the ID token is verified too: TLS alone vouches for it otherwise.
      client.enableNonRepudiationChecks,
      // Settings allow http on this machine alone.
      // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out, not to go away
      ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
    ],
  })

/**
 * The identity provider of the staff: OpenID Connect by the code flow with PKCE, state and nonce (RFC 9700 §2.1).
 * @param redirectUri where the provider sends people back to
 */
export const createIdentityProvider = (config: OidcConfig, redirectUri: string, log: Logger) => {
  let discovered: Promise<client.Configuration> | null = null

  /** Discovered at the first sign-in, so that the platform starts without the provider; a failure is tried again. */
  const configuration = (): Promise<client.Configuration> => {
    discovered ??= discover(config).catch((error: unknown) => {
      discovered = null
      throw error
    })
    return discovered
  }

  const reportUnavailable = (error: unknown): 'unavailable' => {
    log.warn({ event: 'oidc.unavailable', error }, 'The identity provider of the console could not be asked')
    return 'unavailable'
  }

  return {
    /** Where a person signs in, and what the browser keeps meanwhile; null: the provider is unavailable. */
    async begin(): Promise<{ to: string; attempt: SignInAttempt } | null> {
      try {
        const found = await configuration()
        const attempt = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          codeVerifier: client.randomPKCECodeVerifier(),
        }
        const to = client.buildAuthorizationUrl(found, {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(attempt.codeVerifier),
          code_challenge_method: 'S256',
        })
        return { to: to.href, attempt }
      } catch (error) {
        reportUnavailable(error)
        return null
      }
    },

    /** Who has signed in. @param search the query of the address to which the provider sent the browser back */
    async finish(search: string, attempt: SignInAttempt): Promise<Person | SignInFault> {
      try {
        const found = await configuration()
        const tokens = await client.authorizationCodeGrant(found, new URL(`${redirectUri}?${search}`), {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.codeVerifier,
          idTokenExpected: true,
        })
        return personOf(tokens.claims() ?? {})
      } catch (error) {
        if (isUnavailable(error) || discovered === null) return reportUnavailable(error)
        // The error says which check failed, and holds no token.
        const reason = error instanceof Error ? error.message : 'unknown'
        log.info({ event: 'oidc.refused', reason }, 'A sign-in by the identity provider was refused')
        return 'refused'
      }
    },
  }
}
