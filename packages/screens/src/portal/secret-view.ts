import {
  copyable,
  definitionList,
  html,
  linkButton,
  notice,
  submit,
  time,
  type Html,
  type Part,
} from '../design/index.ts'
import type { SecretMade, Webhook } from './client.ts'
import { overlapField } from '../secret-overlap.ts'
import { portalForm, portalPage, webhookPath, WEBHOOKS_PATH, type PortalSession } from './frame.ts'

/** The way to end an overlap before its time. */
const endForm = (session: PortalSession, { id, formerSecretUntil }: Webhook): Part =>
  formerSecretUntil !== null &&
  html`${notice(
    'warning',
    'Two secrets sign already.',
    html`The former one does until ${time(formerSecretUntil)}. A further new secret takes the place of the
    newer of the two.`,
  )}
  ${portalForm(
    session,
    `${webhookPath(id)}/secret/end`,
    html`<p>If your receiver knows the new secret already, the former one need not sign any more.</p>
      <p class="actions">${submit('End the former secret now', 'quiet')}</p>`,
  )}`

/** Explains a rotation, and asks how long the former secret should sign too. */
export const rotatePage = (session: PortalSession, webhook: Webhook): Html =>
  portalPage({
    session,
    title: 'New secret',
    current: WEBHOOKS_PATH,
    main: html`<h1>New secret</h1>
      <p><code>${webhook.url}</code></p>
      ${endForm(session, webhook)}
      <p>
        While both sign, each delivery carries <code>x-signature</code> by the former secret and
        <code>x-signature-next</code> by the new one: give your receiver the new secret in that time, and
        nothing is refused meanwhile.
      </p>
      ${portalForm(
        session,
        `${webhookPath(webhook.id)}/secret`,
        html`${overlapField()}
          <p class="actions">
            ${submit('Make a new secret')}
            ${linkButton(webhookPath(webhook.id), 'Keep the one it has', 'quiet')}
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
