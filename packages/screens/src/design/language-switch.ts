import { LANGUAGES, LANGUAGE_TAGS, type LanguageTag } from '../languages/tags.ts'
import type { Language } from '../languages/language.ts'
import { html, type Html } from './html.ts'

/** Adds the language to a URL. A fragment is not expected. */
export const inLanguage = (url: string, tag: LanguageTag): string =>
  `${url}${url.includes('?') ? '&' : '?'}lang=${tag}`

/**
 * Renders links to the same page in each language, under the name of the current one. Links are in the header, where a
 * person finds them who cannot read the page.
 * @param url of the page, without a language
 */
export const languageSwitch = ({ tag: current, text }: Language, url: string): Html =>
  html`<details class="languages">
    <summary><span class="unseen">${text('page.language')}: </span>${LANGUAGES[current].name}</summary>
    <ul>
      ${LANGUAGE_TAGS.map(
        (tag) =>
          html`<li>
            <a
              href="${inLanguage(url, tag)}"
              lang="${tag}"
              hreflang="${tag}"
              dir="${LANGUAGES[tag].direction}"
              ${tag === current && html`aria-current="true"`}
              >${LANGUAGES[tag].name}</a
            >
          </li>`,
      )}
    </ul>
  </details>`
