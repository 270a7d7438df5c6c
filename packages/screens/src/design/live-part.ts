import { html, type Html } from './html.ts'

/** Scripts of a page with a {@link livePart}, for `PageContent.scripts`. */
export const LIVE_SCRIPTS: readonly string[] = ['htmx.js', 'live-part.js']

const EVERY = '3s'
/** One minute of polling. It is bounded because the audit log records each read. */
const MOST_LOOKS = 20

type LivePart = Readonly<{
  /** Unique on its page. */
  id: string
  /** True while the content can still change. */
  isUnderWay: boolean
  /** Maximum number of polls; defaults to one minute's worth. */
  mostLooks?: number
  /** URL to poll; defaults to the page's own. */
  from?: string
  /** Interval between polls, in htmx syntax. */
  every?: string
}>

/**
 * A part of a page that updates automatically: while `isUnderWay` and the page is visible, htmx polls the page every
 * three seconds and replaces this part. Without JavaScript, the page's `refreshSeconds` reloads the whole page.
 */
export const livePart = (
  { id, isUnderWay, mostLooks = MOST_LOOKS, from = '', every = EVERY }: LivePart,
  content: Html,
): Html =>
  html`<div id="${id}">
    ${content}
    ${
      isUnderWay &&
      html`<span
        hidden
        data-most-looks="${mostLooks}"
        hx-get="${from}"
        hx-trigger="every ${every}"
        hx-target="#${id}"
        hx-select="#${id}"
        hx-swap="outerMorph"
      ></span>`
    }
  </div>`
