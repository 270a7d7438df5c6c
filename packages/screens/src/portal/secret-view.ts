import {
  copyable,
  definitionList,
  html,
  linkButton,
  notice,
  selectField,
  submit,
  time,
  type Html,
} from '../design/index.ts'
import type { SecretMade, Webhook } from './client.ts'
import { portalForm, portalPage, webhookPath, WEBHOOKS_PATH, type PortalSession } from './frame.ts'

/** Hours for which both secrets sign, by the value of the field; null: the former one stops at once. */
export const OVERLAPS: Readonly<Record<string, number | null>> = { '24': 24, '72': 72, '1': 1, now: null }

const OPTIONS = [
  { value: '24', text: 'For 24 hours' },
  { value: '72', text: 'For 72 hours' },
  { value: '1', text: 'For one hour' },
  { value: 'now', text: 'No longer: others may know it' },
]

/** Explains a rotation, and asks how long the former secret should sign too. */
export const rotatePage = (session: PortalSession, { id, url, formerSecretUntil }: Webhook): Html =>
  portalPage({
    session,
    title: 'New secret',
    current: WEBHOOKS_PATH,
    main: html`<h1>New secret</h1>
      <p><code>${url}</code></p>
      ${
        formerSecretUntil !== null &&
        notice(
          'warning',
          'Two secrets sign already.',
          html`The former one does until ${time(formerSecretUntil)}. A further new secret takes the place of
          the newer of the two.`,
        )
      }
      <p>
        While both sign, each delivery carries <code>x-signature</code> by the former secret and
        <code>x-signature-next</code> by the new one: give your receiver the new secret in that time, and
        nothing is refused meanwhile.
      </p>
      ${portalForm(
        session,
        `${webhookPath(id)}/secret`,
        html`${selectField({
            name: 'overlap',
            label: 'How long should the former secret sign too?',
            hint: 'If others may know it, let it stop at once: until your receiver knows the new one, deliveries fail and are tried again',
            value: '24',
            isRequired: true,
            options: OPTIONS,
          })}
          <p class="actions">
            ${submit('Make a new secret')} ${linkButton(webhookPath(id), 'Keep the one it has', 'quiet')}
          </p>`,
      )}`,
  })

const whatNext = ({ formerSecretUntil }: SecretMade, isNew: boolean): Html => {
  if (isNew) return html`Give it to your receiver: every delivery is signed with it.`
  if (formerSecretUntil === null) return html`It signs from the next attempt on, and the former one no more.`
  return html`Give it to your receiver before ${time(formerSecretUntil)}: until then the former secret signs
  too.`
}

/**
 * The page with a secret that cannot be read again. It answers the form itself: a redirect would have to carry the
 * secret, or keep it.
 */
export const secretPage = (session: PortalSession, made: SecretMade, isNew: boolean): Html =>
  portalPage({
    session,
    title: isNew ? 'Webhook added' : 'The new secret',
    current: WEBHOOKS_PATH,
    main: html`<h1>${isNew ? 'The webhook is added' : 'The new secret'}</h1>
      ${notice('warning', 'This secret is shown only now.', whatNext(made, isNew))}
      ${definitionList([
        { term: 'Secret', value: copyable(made.secret, 'the secret') },
        { term: 'Webhook', value: html`<code>${made.id}</code>` },
      ])}
      <p class="hint">
        Do not load this page again: that would ${isNew ? 'add another webhook' : 'make another'}.
      </p>
      <p class="actions">${linkButton(webhookPath(made.id), 'I have copied it')}</p>`,
  })
