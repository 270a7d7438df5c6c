import type { Identity } from '../auth/identity.ts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'

/** What carrying out a request needs of it: who calls, what and with which input. */
export type Call = Omit<CheckedRequest, 'identity'> &
  Readonly<{
    identity: Pick<
      Identity,
      'callerJson' | 'callerWithDefaultsJson' | 'callerWithLimitsJson' | 'role' | 'actor' | 'client'
    >
    /** The second person, of a request that waited for one. */
    confirmedBy?: string
  }>
