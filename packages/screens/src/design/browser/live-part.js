/* global document, location, Map */
import { showCopyButtons } from './screens.js'

/** Number of polls of each part. */
const looks = new Map()

document.addEventListener('htmx:before:request', (event) => {
  const { sourceElement } = event.detail.ctx
  const part = sourceElement.getAttribute('hx-target')
  const number = (looks.get(part) ?? 0) + 1
  if (document.hidden || number > Number(sourceElement.dataset.mostLooks)) event.preventDefault()
  else looks.set(part, number)
})
document.addEventListener('htmx:before:response', (event) => {
  const { raw } = event.detail.ctx.response
  if (raw.ok && !raw.redirected) return
  // Keeps the part and polls again. A redirect means that the session has ended: reload to reach the sign-in page.
  event.preventDefault()
  if (raw.redirected) location.reload()
})
document.addEventListener('htmx:after:swap', () => showCopyButtons(document))
