import { EMPTY, html, type Html } from './html.ts'
import { ENGLISH, type Language, type MessageId } from '../languages/language.ts'
import { languageSwitch } from './language-switch.ts'
import { accentFileName } from './contrast.ts'
import { navigation, type NavigationLink } from './navigation.ts'
import { brandHeader, supportFooter, type PageBrand } from './page-brand.ts'

/** URL path of the files in {@link SCREEN_FILES}. */
export const FILES_PATH = '/screens'

export type PageContent = Readonly<{
  /** Document title; screen readers announce it first. */
  title: string
  main: Html
  /** Name of the product or partner, shown at the top. */
  brand?: string
  /** The brand that a partner has set for the page (decisions §53): its logo, colour and support address. */
  shown?: PageBrand
  links?: readonly NavigationLink[]
  /** Names of additional scripts of {@link SCREEN_FILES}. */
  scripts?: readonly string[]
  /** Seconds after which a browser without JavaScript loads the page again. */
  refreshSeconds?: number
  /** `narrow` for a page with one form; `wide` for lists. */
  width?: 'narrow' | 'wide'
  /** English if left out. */
  language?: Language
  /** URL of the page without its language, for a page that exists in all languages. */
  url?: string
}>

/** Messages that a script shows, by its file. Scripts contain no text: they read `data-messages` of the body. */
const SCRIPT_MESSAGES: Readonly<Record<string, readonly MessageId[]>> = {
  'screens.js': ['script.copied', 'script.copyBlocked'],
  'onboarding.js': [
    'script.saved',
    'script.partlySaved',
    'script.notSaved',
    'script.preview',
    'script.uploading',
    'script.interrupted',
    'script.notUploaded',
    'file.fault.required',
    'file.fault.tooLarge',
  ],
  'pdf-viewer.js': ['script.pdf', 'script.pdf.page', 'script.pdf.more'],
}

const scriptMessages = (scripts: readonly string[], { template }: Language): string =>
  JSON.stringify(
    Object.fromEntries(
      scripts.flatMap((name) => SCRIPT_MESSAGES[name] ?? []).map((id) => [id, template(id)]),
    ),
  )

const refresh = (seconds: number | undefined): Html =>
  seconds === undefined
    ? EMPTY
    : html`<noscript><meta http-equiv="refresh" content="${seconds}" /></noscript>`

const accentLink = (shown: PageBrand): Html =>
  shown === null || shown.accent_color === null
    ? EMPTY
    : html`<link rel="stylesheet" href="${FILES_PATH}/${accentFileName(shown.accent_color)}" />`

/** A whole page, with the landmarks `banner`, `navigation` and `main` and a link that skips to `main`. */
export const page = (content: PageContent): Html => {
  const {
    title,
    main,
    brand = 'Causeway',
    shown = null,
    links = [],
    scripts = [],
    refreshSeconds,
    width = 'wide',
    language = ENGLISH,
    url,
  } = content
  const { tag, direction, text } = language
  const allScripts = ['screens.js', 'local-time.js', ...scripts]
  return html`<!doctype html>
    <html lang="${tag}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${refresh(refreshSeconds)}
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${FILES_PATH}/style.css" />
        ${accentLink(shown)}
        ${allScripts.map((name) => html`<script type="module" src="${FILES_PATH}/${name}"></script>`)}
      </head>
      <body class="${width}" data-messages="${scriptMessages(allScripts, language)}">
        <a class="skip" href="#main">${text('page.skip')}</a>
        <header class="top">
          ${brandHeader(brand, shown)} ${links.length === 0 ? EMPTY : navigation(text('page.pages'), links)}
          ${url !== undefined && languageSwitch(language, url)}
        </header>
        <main id="main" tabindex="-1">${main}</main>
        ${supportFooter(shown, text('page.help'))}
        <div id="toasts" role="status" aria-live="polite"></div>
      </body>
    </html>`
}
