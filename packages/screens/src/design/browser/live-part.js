/* global document, location */
import { showCopyButtons } from './screens.js'

document.addEventListener('htmx:before:response', (event) => {
  const { raw } = event.detail.ctx.response
  if (raw.ok && !raw.redirected) return
  // The part stays as it is, and is asked for again; a session that has ended leads to where one signs in.
  event.preventDefault()
  if (raw.redirected) location.reload()
})
document.addEventListener('htmx:after:swap', () => showCopyButtons(document))
