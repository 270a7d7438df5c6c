import { implement, refuse, reply } from '@causeway/chassis'
import { accessSignIn, SIGN_IN_CALLBACK_PATH } from '@causeway/contracts'
import type { AccessConfig } from '../config.ts'
import type { AccessContext } from '../context.ts'
import { createIdentityProvider } from '../oidc/provider.ts'

type Options = Pick<AccessConfig, 'oidc' | 'consoleBaseUrl' | 'publicBaseUrl'>

/** `access.sign-in`: staff sign in at their identity provider. */
export const signInOperations = (
  { log }: Pick<AccessContext, 'log'>,
  { oidc, consoleBaseUrl, publicBaseUrl }: Options,
) => {
  const redirectUri = `${consoleBaseUrl ?? publicBaseUrl}${SIGN_IN_CALLBACK_PATH}`
  const provider = oidc === null ? null : createIdentityProvider(oidc, redirectUri, log)
  return implement(accessSignIn, {
    begin: async () =>
      provider === null ? refuse('resource_not_found') : reply({ begun: await provider.begin() }),
    finish: async ({ body: { search, attempt } }) =>
      provider === null
        ? refuse('resource_not_found')
        : reply({ person: await provider.finish(search, attempt) }),
  })
}
