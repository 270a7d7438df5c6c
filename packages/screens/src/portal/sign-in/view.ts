import type { Membership } from '@causeway/contracts'
import {
  errorSummary,
  form,
  html,
  linkButton,
  notice,
  page,
  statusTag,
  submit,
  textField,
  type Html,
} from '../../design/index.ts'
import { PORTAL_BRAND } from '../frame.ts'
import { ownerText, PORTAL_ROLE_TEXTS } from './words.ts'

export const PORTAL_SIGN_IN_PATH = '/portal/sign-in'
export const SIGN_IN_SENT_PATH = '/portal/sign-in/sent'

const narrow = (title: string, main: Html): Html =>
  page({ title: `${title} · ${PORTAL_BRAND}`, brand: PORTAL_BRAND, width: 'narrow', main })

const NEW_LINK = html`Partners and merchants can also get a link from the support team of this platform.
  Merchants can create one with their API key: <code>POST /api/user/portal-links</code>.`

const addressForm = (entered: string, error: string | undefined): Html =>
  form(
    { action: PORTAL_SIGN_IN_PATH },
    html`${textField({
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        inputmode: 'email',
        autocomplete: 'username',
        value: entered,
        error,
        isRequired: true,
      })}
      <p class="actions">${submit('Send a sign-in link')}</p>`,
  )

/** Renders the sign-in. @param sendsMail false: the platform sends no e-mail, so that there is no form */
export const portalSignInPage = (
  sendsMail: boolean,
  { email = '', error }: Readonly<{ email?: string; error?: string }> = {},
): Html =>
  narrow(
    error === undefined ? 'Sign in' : 'Error: Sign in',
    html`<h1>Sign in to the portal</h1>
      ${error !== undefined && errorSummary({ email: error })}
      ${
        sendsMail
          ? html`<p>
                Enter the e-mail address that you were invited with. You get a link that signs this browser
                in.
              </p>
              ${addressForm(email, error)}`
          : notice(
              'neutral',
              'Sign-in by e-mail is not set up on this platform.',
              html`Open a new link instead.`,
            )
      }
      <p class="hint">${NEW_LINK}</p>`,
  )

/** The same page for every address, known or not. */
export const signInSentPage = (): Html =>
  narrow(
    'Check your e-mail',
    html`<h1>Check your e-mail</h1>
      ${notice(
        'neutral',
        'If somebody was invited with this address, a link is on its way.',
        html`Open it in this browser within 15 minutes. It works once.`,
      )}
      <p>Nothing has arrived after a few minutes? Check the spam folder and the address.</p>
      <p>${linkButton(PORTAL_SIGN_IN_PATH, 'Ask for another link', 'quiet')}</p>`,
  )

const choice = (action: string, membership: Membership): Html =>
  html`<li>
    ${form(
      { action, hidden: { person_id: membership.person_id } },
      html`<p><strong>${ownerText(membership)}</strong> ${statusTag('neutral', membership.role)}</p>
        <p class="actions">${submit(`Sign in to ${membership.owner_name ?? membership.owner_id}`)}</p>`,
    )}
  </li>`

/** Renders what a link can open. Showing it does not use the link: previews of e-mail open it too. */
export const chooseMembershipPage = (token: string, memberships: readonly Membership[]): Html =>
  memberships.length === 0
    ? signInFaultPage('refused')
    : narrow(
        'Sign in',
        html`<h1>${memberships.length === 1 ? 'Sign in to the portal' : 'Where do you want to sign in?'}</h1>
          <ul class="parts">
            ${memberships.map((membership) => choice(`${PORTAL_SIGN_IN_PATH}/${token}`, membership))}
          </ul>
          <p class="hint">The link works once and signs this browser in for 8 hours.</p>`,
      )

/** Why a link of an e-mail opens nothing. */
export type PortalSignInFault = 'refused' | 'other_browser' | 'rate_limited'

const FAULTS: Readonly<Record<PortalSignInFault, readonly [title: string, advice: Html]>> = {
  refused: [
    'This link is no longer valid',
    html`A link works once, within 15 minutes. Ask for a new one below.`,
  ],
  other_browser: [
    'Open the link in the browser that asked for it',
    html`A sign-in link works only in the browser in which it was asked for, so that nobody can use a link
    that was forwarded or stolen. Copy it there, or ask for a new one below.`,
  ],
  rate_limited: [
    'Too many attempts',
    html`Your IP address asked too often or tried too many invalid links. Wait a minute, then try again.`,
  ],
}

/** Renders why somebody was not signed in. */
export const signInFaultPage = (fault: PortalSignInFault): Html => {
  const [title, advice] = FAULTS[fault]
  return narrow(
    title,
    html`<h1>${title}</h1>
      ${notice('bad', 'You are not signed in.', advice)}
      <p>${linkButton(PORTAL_SIGN_IN_PATH, 'Ask for a new link')}</p>`,
  )
}

/** Renders an invitation. Showing it does not accept it. */
export const invitationPage = (token: string, invitation: Membership): Html =>
  narrow(
    'Invitation',
    html`<h1>Invitation to the portal</h1>
      <p>You are invited to the portal of <strong>${ownerText(invitation)}</strong>.</p>
      <p>${PORTAL_ROLE_TEXTS[invitation.role]}.</p>
      ${form(
        { action: `/portal/invitations/${token}` },
        html`<p class="actions">${submit('Accept the invitation')}</p>`,
      )}
      <p class="hint">Afterwards, sign in with the e-mail address that received the invitation.</p>`,
  )

export const acceptedInvitationPage = (accepted: Membership): Html =>
  narrow(
    'Invitation accepted',
    html`<h1>Invitation accepted</h1>
      ${notice(
        'good',
        `You can sign in to the portal of ${ownerText(accepted)}.`,
        html`Use the e-mail address that received the invitation.`,
      )}
      <p>${linkButton(PORTAL_SIGN_IN_PATH, 'Sign in')}</p>`,
  )

export const endedInvitationPage = (): Html =>
  narrow(
    'This invitation is no longer valid',
    html`<h1>This invitation is no longer valid</h1>
      ${notice(
        'bad',
        'Nothing was changed.',
        html`An invitation works once, within 7 days, and a newer one replaces it. If you have accepted it
        already, sign in. Otherwise ask the person who invited you for a new one.`,
      )}
      <p>${linkButton(PORTAL_SIGN_IN_PATH, 'Sign in')}</p>`,
  )
