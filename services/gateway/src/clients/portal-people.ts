import type { ServiceClient } from '@causeway/chassis'
import {
  accessPeople,
  accessPortalSignIn,
  type Membership,
  type Operation,
  type PortalRole,
  type Principal,
  type SignInLinkFault,
} from '@causeway/contracts'
import type { OpenedSession, PeopleOfSession } from '@causeway/screens'
import type { z } from 'zod'
import { createAsk } from './access.ts'

/** A link of an e-mail as a browser presents it. */
type Presented = Readonly<{ token: string; browser: string }>

/** People of partners and merchants, and their sign-in, which access keeps (decisions §56). */
export const createPortalPeople = (askAccess: ServiceClient) => {
  const ask = createAsk(askAccess)

  /** The reply, or the refusal; a failure is thrown. */
  const judged = async <O extends Operation>(operation: O, body: z.input<O['body']>) => {
    const answer = await askAccess(operation, body)
    if (answer.ok) return { ok: true as const, value: answer.value }
    return { ok: false as const, code: answer.code, ...(answer.details && { details: answer.details }) }
  }

  return {
    /** False: the platform sends no e-mail. */
    sendsMail: async (): Promise<boolean> => (await ask(accessPortalSignIn.sendsMail, undefined)).sends_mail,
    request: async (email: string, browser: string): Promise<boolean> =>
      (await ask(accessPortalSignIn.request, { email, browser })).sends_mail,
    listMemberships: async (presented: Presented): Promise<readonly Membership[] | SignInLinkFault> =>
      (await ask(accessPortalSignIn.listMemberships, presented)).memberships,
    async open(presented: Presented, personId: string): Promise<OpenedSession | SignInLinkFault> {
      const { opened } = await ask(accessPortalSignIn.open, { ...presented, person_id: personId })
      if (typeof opened === 'string') return opened
      const { token, expires_at: expiresAt, principal } = opened
      return { token, expiresAt: new Date(expiresAt), principal }
    },
    getInvitation: async (token: string) => (await ask(accessPeople.getInvitation, { token })).invitation,
    acceptInvitation: async (token: string) => (await ask(accessPeople.acceptInvitation, { token })).accepted,
    /** The people that the person of a session may manage. */
    of: (principal: Principal): PeopleOfSession => ({
      list: () => judged(accessPeople.list, { principal }),
      invite: (email: string, role: PortalRole) => judged(accessPeople.invite, { principal, email, role }),
      update: (personId, role) => judged(accessPeople.update, { principal, person_id: personId, role }),
      remove: (personId) => judged(accessPeople.remove, { principal, person_id: personId }),
      getPreferences: () => judged(accessPeople.getPreferences, { principal }),
      updatePreferences: (preferences) =>
        judged(accessPeople.updatePreferences, { principal, ...preferences }),
    }),
  }
}

export type PortalPeople = ReturnType<typeof createPortalPeople>
