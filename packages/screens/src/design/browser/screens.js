/* global addEventListener, document, navigator, setTimeout, HTMLButtonElement, HTMLDialogElement */

const TOAST_MS = 4_000

/** Messages in the page's language, by id. */
export const MESSAGES = JSON.parse(document.body.dataset.messages ?? '{}')

/** Shows a short message, which screen readers announce. */
export const toast = (text) => {
  const line = document.createElement('p')
  line.textContent = text
  document.getElementById('toasts')?.append(line)
  setTimeout(() => line.remove(), TOAST_MS)
}

const copy = async (button) => {
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    toast(MESSAGES['script.copied'])
  } catch {
    toast(MESSAGES['script.copyBlocked'])
  }
}

/** Shows the copy buttons, which do nothing without JavaScript. Call it again for replaced parts of a page. */
export const showCopyButtons = (part) => {
  for (const button of part.querySelectorAll('button.copy[hidden]')) button.hidden = false
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof HTMLButtonElement ? event.target : null
  if (button?.dataset.copy !== undefined) void copy(button)
  // Browsers released before 2025 do not support `commandfor`.
  if (button?.hasAttribute('commandfor') && !('commandForElement' in HTMLButtonElement.prototype)) {
    const dialog = document.getElementById(button.getAttribute('commandfor'))
    if (dialog instanceof HTMLDialogElement) dialog.showModal()
  }
})

/** Prevents a second submission of a form by a double click. */
document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || form.method !== 'post') return
  if (form.dataset.sent === undefined) form.dataset.sent = ''
  else event.preventDefault()
})
// A page restored from the back/forward cache may submit again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
})
showCopyButtons(document)
