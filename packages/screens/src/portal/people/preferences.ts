import { NoticeKind } from '@causeway/contracts'
import { checkbox, checkboxes, html, submit, type Html } from '../../design/index.ts'
import { redirectTo } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { portalForm, SESSIONS_PATH, type PortalRequest, type PortalSession } from '../frame.ts'
import { PREFERENCES_PATH } from './paths.ts'

const LABELS: Readonly<Record<NoticeKind, string>> = {
  requirement: 'A new requirement',
  rejection: 'A verification that was not approved',
  payout_sent: 'A payout that was sent',
  payout_returned: 'A payout that came back',
  dispute: 'A card payment that is disputed',
  webhook_failing: 'A webhook that keeps failing',
}

/** Name of the checked kinds, and of all kinds that the form offers: one that it does not have stays as it is. */
const NOTICES = 'notices'
const OFFERED = 'offered_notices'

type Notices = readonly Readonly<{ kind: string; is_on: boolean }>[]

const noticesField = (notices: Notices): Html => {
  const known = notices.flatMap(({ kind, is_on: isOn }) => {
    const parsed = NoticeKind.safeParse(kind)
    return parsed.success ? [{ kind: parsed.data, isOn }] : []
  })
  if (known.length === 0) return html``
  return html`${known.map(({ kind }) => html`<input type="hidden" name="${OFFERED}" value="${kind}" />`)}
  ${checkboxes({
    name: NOTICES,
    label: 'Send me an e-mail about',
    isRequired: true,
    hint: 'At most one e-mail an hour of each kind about a merchant, and one a day about a webhook',
    values: known.filter(({ isOn }) => isOn).map(({ kind }) => kind),
    options: known.map(({ kind }) => ({ value: kind, text: LABELS[kind] })),
  })}`
}

/** Renders the e-mail that a person wants; empty for a session that a link opened. */
export const preferencesSection = async (session: PortalSession): Promise<Html> => {
  if (session.principal.person === undefined) return html``
  const reply = await session.people.getPreferences()
  if (!reply.ok) return html``
  const { mails_new_sign_in: isChecked, notices = [] } = reply.value
  return html`<section class="sheet" aria-labelledby="preferences">
    <h2 id="preferences">E-mail</h2>
    <p>Sign-in links and invitations are always sent.</p>
    ${portalForm(
      session,
      PREFERENCES_PATH,
      html`${noticesField(notices)}
        ${checkbox({
          name: 'mails_new_sign_in',
          label: 'Send me an e-mail when I sign in with a new browser',
          isChecked,
        })}
        <p class="actions">${submit('Save', 'quiet')}</p>`,
    )}
  </section>`
}

/** Saves the e-mail that a person wants. */
export const setPreferences = async ({ session, form }: PortalRequest): Promise<Answer> => {
  const offered = form.getAll(OFFERED).flatMap((kind) => NoticeKind.safeParse(kind).data ?? [])
  const checked = new Set(form.getAll(NOTICES))
  const reply = await session.people.updatePreferences({
    mails_new_sign_in: form.get('mails_new_sign_in') === 'true',
    notices: Object.fromEntries(offered.map((kind) => [kind, checked.has(kind)])),
  })
  return reply.ok ? redirectTo(SESSIONS_PATH) : { kind: 'error', code: 'resource_not_found' }
}
