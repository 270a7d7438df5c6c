import { html, type Html } from './html.ts'

/** Scripts of a page with a {@link livePart}, for `PageContent.scripts`. */
export const LIVE_SCRIPTS: readonly string[] = ['htmx.js', 'live-part.js']

const EVERY = '3s'

/**
 * A part of a page that keeps up by itself: while something in it is under way, htmx asks for the page every three
 * seconds and puts this part of the answer in its place. Where no script runs, the page's `refreshSeconds` do it.
 * @param id of the part, unique on its page
 * @param isUnderWay whether it can still change
 */
export const livePart = (id: string, isUnderWay: boolean, content: Html): Html =>
  html`<div id="${id}">
    ${content}
    ${
      isUnderWay &&
      html`<span
        hidden
        hx-get=""
        hx-trigger="every ${EVERY}"
        hx-target="#${id}"
        hx-select="#${id}"
        hx-swap="outerMorph"
      ></span>`
    }
  </div>`
