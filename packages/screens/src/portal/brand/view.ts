import { MAX_LOGO_BYTES, type Brand } from '@causeway/contracts'
import { emptyState, html, linkButton, submit, textField, type Html } from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { portalFileForm, portalForm, portalPage, type PortalSession } from '../frame.ts'
import { BRAND_PATH } from './paths.ts'

/** Returns the fields of the form, filled with a brand. */
export const formOfBrand = ({
  name,
  accent_color: color,
  support_address: address,
}: Brand): URLSearchParams =>
  new URLSearchParams({ name: name ?? '', accent_color: color ?? '', support_address: address ?? '' })

const brandForm = (session: PortalSession, { entered, errors }: FormState): Html =>
  html`<section class="sheet" aria-labelledby="texts">
    <h2 id="texts">Name, colour and support</h2>
    ${portalForm(
      session,
      BRAND_PATH,
      html`${textField({
          name: 'name',
          label: 'Name',
          hint: 'Shown where there is no logo, and to people who cannot see it.',
          value: entered.get('name') ?? '',
          error: errors['name'],
        })}
        ${textField({
          name: 'accent_color',
          label: 'Accent colour',
          hint: 'For buttons and links, such as #0d5c46. Pages adjust texts, so that they stay readable.',
          value: entered.get('accent_color') ?? '',
          error: errors['accent_color'],
        })}
        ${textField({
          name: 'support_address',
          label: 'Support address',
          hint: 'An e-mail address, or an address that begins with https://.',
          value: entered.get('support_address') ?? '',
          error: errors['support_address'],
        })}
        <p class="actions">${submit('Save')}</p>`,
    )}
  </section>`

const logoForm = (session: PortalSession, { logo }: Brand, { errors }: FormState): Html =>
  html`<section class="sheet" aria-labelledby="logo">
    <h2 id="logo">Logo</h2>
    ${
      logo === null
        ? emptyState('No logo yet. Pages show the name.')
        : html`<p>The logo is at the top of this page, as your customers and their buyers see it.</p>
            ${portalForm(
              session,
              `${BRAND_PATH}/logo/delete`,
              html`<p class="actions">${submit('Delete the logo', 'quiet')}</p>`,
            )}`
    }
    ${portalFileForm(
      session,
      `${BRAND_PATH}/logo`,
      html`${textField({
          name: 'logo',
          label: logo === null ? 'Image' : 'Different image',
          hint: `PNG, JPEG or WebP, at most ${MAX_LOGO_BYTES / 1024} KiB. Wide images on a light or transparent ground look best.`,
          type: 'file',
          accept: 'image/png,image/jpeg,image/webp',
          error: errors['logo'],
          isRequired: true,
        })}
        <p class="actions">${submit('Upload')}</p>`,
    )}
  </section>`

const preview = (): Html =>
  html`<section class="sheet" aria-labelledby="preview">
    <h2 id="preview">Preview</h2>
    <p>Pages with your brand have the top of this page, and buttons and links like these.</p>
    <p class="actions">
      ${linkButton(BRAND_PATH, 'A button')} ${linkButton(BRAND_PATH, 'Another button', 'quiet')}
      <a href="${BRAND_PATH}">A link</a>
    </p>
    <p class="hint">Other pages show a change within 10 seconds.</p>
  </section>`

/** Renders the partner's brand, which the page itself has, with its forms. */
export const brandPage = (session: PortalSession, brand: Brand, state: FormState): Html =>
  portalPage({
    session: { ...session, brand },
    current: BRAND_PATH,
    title: titleOf('Brand', state),
    main: html`<h1>Brand</h1>
      <p>
        Buyers see it on the payment page; your customers see it in their onboarding, in the portal and on
        statements. With the API you can set a different brand for a customer, which its buyers then see.
      </p>
      ${formFaults(state)} ${brandForm(session, state)} ${logoForm(session, brand, state)} ${preview()}`,
  })
