import { z } from 'zod'
import { StaffRole } from '../gateway/staff-roles.ts'
import { operation, resource } from '../operation.ts'

/** Path to which the identity provider sends people back: the console's URL and this are the client's redirect URI. */
export const SIGN_IN_CALLBACK_PATH = '/console/sign-in/callback'

/** State that a browser keeps while its person is at the provider; the response must match it. */
const SignInAttempt = z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() })
export type SignInAttempt = Readonly<z.infer<typeof SignInAttempt>>

/** Why a sign-in ended without a session. `refused`: its answer does not fit to the attempt, or the provider said no. */
const SignInFault = z.enum(['unavailable', 'refused', 'no_role'])
export type SignInFault = z.infer<typeof SignInFault>

/** `access.sign-in`: staff sign in at their identity provider (ADR 0068). Only where the settings name one. */
export const accessSignIn = resource('access.sign-in', {
  begin: operation({
    summary: 'Begin a sign-in: where the person signs in, and what the browser keeps meanwhile',
    caller: 'service',
    services: ['gateway'],
    /** Null: the provider is unavailable. */
    reply: z.object({ begun: z.object({ to: z.string(), attempt: SignInAttempt }).nullable() }),
    /** It asks the provider once, for 5 s. */
    waitsMs: 5_000,
  }),
  finish: operation({
    summary: 'Finish a sign-in: who has signed in, or why nobody has',
    caller: 'service',
    services: ['gateway'],
    /** `search`: the query of the address to which the provider sent the browser back. */
    body: z.object({ search: z.string(), attempt: SignInAttempt }),
    reply: z.object({
      person: z.union([z.object({ actor: z.string(), role: StaffRole }), SignInFault]),
    }),
    /** It asks the provider twice at most, for 5 s each. */
    waitsMs: 10_000,
  }),
})
