import { html, type Html } from './html.ts'

/** Scripts of a page with a {@link livePart}, for `PageContent.scripts`. */
export const LIVE_SCRIPTS: readonly string[] = ['htmx.js', 'live-part.js']

const EVERY = '3s'
/** A minute of looks: what is read is in the audit log each time. */
const MOST_LOOKS = 20

type LivePart = Readonly<{
  /** Unique on its page. */
  id: string
  /** Whether it can still change. */
  isUnderWay: boolean
  /** How often it is looked at without anybody doing anything; left out: for a minute. */
  mostLooks?: number
  /** The address that is read for it; left out: that of the page. */
  from?: string
  /** The time between two looks, as htmx writes it. */
  every?: string
}>

/**
 * A part of a page that keeps up by itself: while something in it is under way and the page is seen, htmx asks for the
 * page every three seconds and puts this part of the answer in its place. Where no script runs, the page's
 * `refreshSeconds` do it.
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
