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
  type Part,
} from '../design/index.ts'
import type { SecretMade, Webhook } from './client.ts'
import { webhookPath, type Place } from './place.ts'

/** Hours for which both secrets sign, by the field's value; null revokes the former secret immediately. */
export const OVERLAPS: Readonly<Record<string, number | null>> = { '24': 24, '72': 72, '1': 1, now: null }

const OPTIONS = [
  { value: '24', text: 'For 24 hours' },
  { value: '72', text: 'For 72 hours' },
  { value: '1', text: 'For one hour' },
  { value: 'now', text: 'Revoke it now (it may have leaked)' },
]

/** Renders the field for how long the former secret of a webhook keeps signing after a rotation. */
const overlapField = (): Html =>
  selectField({
    name: 'overlap',
    label: 'How long should the former secret stay valid?',
    hint: 'If it may have leaked, revoke it now. Deliveries then fail and are retried until the endpoint uses the new secret.',
    value: '24',
    isRequired: true,
    options: OPTIONS,
  })

/** Renders the form that revokes the former secret before the overlap ends. */
const endForm = (place: Place, { id, formerSecretUntil }: Webhook): Part =>
  formerSecretUntil !== null &&
  html`${notice(
    'warning',
    'Two secrets are active.',
    html`The former secret signs until ${time(formerSecretUntil)}. If you rotate again, the next secret
    replaces the newer of the two.`,
  )}
  ${place.form(
    `${webhookPath(place.paths, id)}/secret/end`,
    html`<p>
        Revoke the former secret only if the endpoint already uses the new one. Otherwise it refuses all
        deliveries.
      </p>
      <p class="actions">${submit('Revoke the former secret now', 'quiet')}</p>`,
  )}`

/** Renders the rotation form, which asks how long the former secret stays valid. */
export const rotatePage = (place: Place, webhook: Webhook): Html => {
  const path = webhookPath(place.paths, webhook.id)
  return place.page({
    title: 'Rotate the secret',
    current: 'webhooks',
    main: html`<h1>Rotate the secret</h1>
      <p><code>${webhook.url}</code></p>
      ${endForm(place, webhook)}
      <p>
        While both secrets are valid, each delivery has an <code>x-signature</code> from the former secret and
        an <code>x-signature-next</code> from the new one. Within that time the endpoint must be configured
        with the new secret, so that it refuses no delivery.
      </p>
      ${place.form(
        `${path}/secret`,
        html`${overlapField()}
          <p class="actions">
            ${submit('Rotate the secret')} ${linkButton(path, 'Keep the current secret', 'quiet')}
          </p>`,
      )}`,
  })
}

const whatNext = ({ formerSecretUntil }: SecretMade, isNew: boolean): Html => {
  if (isNew) return html`It signs every delivery. The endpoint needs it to verify signatures.`
  if (formerSecretUntil === null)
    return html`It signs all attempts from now on. The former secret is revoked.`
  return html`The endpoint must use it before ${time(formerSecretUntil)}. Until then the former secret signs
  too.`
}

/**
 * Renders a new secret, which cannot be read again. The page is the response to the form, because a redirect would have
 * to contain or store the secret.
 */
export const secretPage = (place: Place, made: SecretMade, isNew: boolean): Html =>
  place.page({
    title: isNew ? 'Webhook added' : 'New secret',
    current: 'webhooks',
    main: html`<h1>${isNew ? 'Webhook added' : 'New secret'}</h1>
      ${notice(
        'warning',
        'Copy this secret now. It is not shown again.',
        html`${place.secretAdvice !== null && `${place.secretAdvice} `}${whatNext(made, isNew)}`,
      )}
      ${definitionList([
        { term: 'Secret', value: copyable(made.secret, 'Copy the secret') },
        { term: 'Webhook', value: html`<code>${made.id}</code>` },
      ])}
      <p class="hint">
        Do not reload this page: that would ${isNew ? 'add another webhook' : 'rotate the secret again'}.
      </p>
      <p class="actions">${linkButton(webhookPath(place.paths, made.id), 'I have copied it')}</p>`,
  })
