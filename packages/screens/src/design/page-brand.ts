import type { Brand } from '@causeway/contracts'
import { EMPTY, html, type Html } from './html.ts'

/** The brand that a page shows; null for a page without one. */
export type PageBrand = Brand | null

/** URL path of logos, whose last part is the hash. */
const LOGOS_PATH = '/logos'

/**
 * Renders the top of a page: the logo, or the brand's name without one. A different name of the page follows the logo.
 * @param name shown without a brand, or instead of the brand's
 */
export const brandHeader = (name: string, brand: PageBrand): Html => {
  const logo = brand?.logo ?? null
  if (logo === null) return html`<p class="brand"><bdi>${name}</bdi></p>`
  // Pages show it at half its size: it is sharp on screens with two pixels for one.
  const image = html`<img
    class="logo"
    src="${LOGOS_PATH}/${logo.content_hash}"
    alt="${brand?.name ?? name}"
    width="${Math.ceil(logo.width / 2)}"
    height="${Math.ceil(logo.height / 2)}"
  />`
  return html`<p class="brand">${image} ${(brand?.name ?? name) !== name && html`<bdi>${name}</bdi>`}</p>`
}

/** The part of an e-mail address before its last @ may contain characters that have a meaning in an address. */
const mailAddress = (address: string): string => {
  const at = address.lastIndexOf('@')
  return `mailto:${encodeURIComponent(address.slice(0, at))}@${address.slice(at + 1)}`
}

/** Renders the support address as a link, at the end of a page. @param question that the link answers */
export const supportFooter = (brand: PageBrand, question: string): Html => {
  const address = brand?.support_address ?? null
  if (address === null) return EMPTY
  const isWeb = address.includes('://')
  const [href, text] = isWeb
    ? [address, URL.parse(address)?.host ?? address]
    : [mailAddress(address), address]
  return html`<footer class="support">
    <p class="hint">
      ${question} <a href="${href}" rel="noreferrer"><bdi>${text}</bdi></a>
    </p>
  </footer>`
}
