import { bearerTokenHash, implement, newId, reply } from '@causeway/chassis'
import { accessPortalSignIn, EmailAddress, type PortalRole, type Principal } from '@causeway/contracts'
import type { AccessContext } from '../context.ts'
import { queueMail } from '../mail/queue.ts'
import { macOfEmail, personContext, signInRequestContext } from '../people/address.ts'
import { newSignInMail } from '../people/mails.ts'
import { listMemberships, lockMembership, rememberBrowser } from '../people/store.ts'
import { openSession } from '../sessions/sessions.ts'
import { findLink, insertSignInRequest, lockAddress, useLink } from './store.ts'

const LINK_TTL_MS = 15 * 60_000
/** Most requests for an address within {@link LINK_TTL_MS}. */
const REQUESTS_PER_ADDRESS = 5
const NOTICE_TTL_MS = 24 * 3_600_000

type Context = Pick<AccessContext, 'db' | 'vault' | 'clock' | 'mailAlarm'>
type Options = Readonly<{
  publicBaseUrl: string
  sendsMail: boolean
  /** Called after a request was recorded. */
  onRequest: () => void
}>

/**
 * Records a request for a link. It is the same work for every address: the job looks up later whether somebody has it, so
 * that neither the answer nor its time tells.
 */
async function recordRequest(
  { db, vault, clock }: Context,
  email: string,
  browserHash: Buffer,
): Promise<void> {
  const now = clock.now()
  const signInRequestId = newId('signInRequest')
  const emailMac = macOfEmail(vault, email)
  const emailSealed = vault.seal(email, signInRequestContext(signInRequestId))
  await db.transaction(async (tx) => {
    await lockAddress(tx, { emailMac })
    await insertSignInRequest(tx, {
      signInRequestId,
      emailMac,
      emailSealed,
      browserHash,
      now,
      expiresAt: new Date(now.getTime() + LINK_TTL_MS),
      since: new Date(now.getTime() - LINK_TTL_MS),
      limit: REQUESTS_PER_ADDRESS,
    })
  })
}

type Member = Readonly<{
  personId: string
  ownerKind: 'partner' | 'merchant'
  ownerId: string
  role: PortalRole
}>

const principalOf = ({ personId, ownerKind, ownerId, role }: Member): Principal => {
  const person = { personId, role }
  return ownerKind === 'partner'
    ? { kind: 'partner', partnerId: ownerId, person }
    : { kind: 'merchant', merchantId: ownerId, person }
}

type Presented = Readonly<{ tokenHash: Buffer; browserHash: Buffer; personId: string }>

/** Uses a link up and opens its session, in one transaction, with a mail about a browser that is new to the person. */
const openMembership = (
  { db, vault, clock }: Context,
  { publicBaseUrl }: Options,
  { tokenHash, browserHash, personId }: Presented,
) =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const used = await useLink(tx, { tokenHash, browserHash, now })
    const member = used && (await lockMembership(tx, { personId, emailMac: used.emailMac }))
    if (!member) return null
    const remembered = await rememberBrowser(tx, { personId, browserHash, now })
    if (remembered?.isNew === true && member.mailsNewSignIn) {
      const to = vault.open(member.emailSealed, personContext(personId)).toString('utf8')
      const message = newSignInMail(to, member, now, `${publicBaseUrl}/portal/sessions`)
      const expiresAt = new Date(now.getTime() + NOTICE_TTL_MS)
      await queueMail(tx, vault, { kind: 'new_sign_in', message, now, expiresAt })
    }
    return openSession(tx, principalOf(member), { origin: personId, now })
  })

/** `access.portal-sign-in` (decisions §56). */
export const portalSignInOperations = (context: Context, options: Options) => {
  const { db, clock } = context
  const { sendsMail } = options

  /** The link that a browser presents, if it may use it. */
  const findPresented = async (token: string, browser: string) => {
    const [tokenHash, browserHash] = [bearerTokenHash(token), bearerTokenHash(browser)]
    if (tokenHash === null) return 'refused'
    // A browser without a cookie is another one than that which asked.
    const asked = browserHash ?? Buffer.alloc(0)
    const link = await findLink(db, { tokenHash, browserHash: asked, now: clock.now() })
    if (link === null) return 'refused'
    return link.isSameBrowser ? { tokenHash, browserHash: asked, emailMac: link.emailMac } : 'other_browser'
  }

  return implement(accessPortalSignIn, {
    sendsMail: async () => reply({ sends_mail: sendsMail }),

    async request({ body: { email, browser } }) {
      const browserHash = bearerTokenHash(browser)
      const address = EmailAddress.safeParse(email)
      if (sendsMail && address.success && browserHash !== null) {
        await recordRequest(context, address.data, browserHash)
        options.onRequest()
      }
      return reply({ sends_mail: sendsMail })
    },

    async listMemberships({ body: { token, browser } }) {
      const link = await findPresented(token, browser)
      if (typeof link === 'string') return reply({ memberships: link })
      const rows = await listMemberships(db, { emailMac: link.emailMac })
      return reply({
        memberships: rows.map(({ personId, ownerKind, ownerId, ownerName, role }) => ({
          person_id: personId,
          owner_kind: ownerKind,
          owner_id: ownerId,
          owner_name: ownerName,
          role,
        })),
      })
    },

    async open({ body: { token, browser, person_id: personId } }) {
      const link = await findPresented(token, browser)
      if (typeof link === 'string') return reply({ opened: link })
      const opened = await openMembership(context, options, { ...link, personId })
      context.mailAlarm.ring()
      if (opened === null) return reply({ opened: 'refused' as const })
      const { token: session, expiresAt, principal } = opened
      return reply({ opened: { token: session, expires_at: expiresAt.toISOString(), principal } })
    },
  })
}
