/* global addEventListener, document, navigator, setTimeout, HTMLButtonElement, HTMLDialogElement */

const TOAST_MS = 4_000

/** Says something for a moment, to screen readers too. */
export const toast = (text) => {
  const line = document.createElement('p')
  line.textContent = text
  document.getElementById('toasts')?.append(line)
  setTimeout(() => line.remove(), TOAST_MS)
}

const copy = async (button) => {
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    toast('Copied')
  } catch {
    toast('Your browser did not allow it: select the text and copy it')
  }
}

/** Copy buttons are hidden until this runs: without it they would do nothing. Pages call it for parts they replace. */
export const showCopyButtons = (part) => {
  for (const button of part.querySelectorAll('button.copy[hidden]')) button.hidden = false
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof HTMLButtonElement ? event.target : null
  if (button?.dataset.copy !== undefined) void copy(button)
  // Browsers from before 2025 do not know `commandfor`.
  if (button?.hasAttribute('commandfor') && !('commandForElement' in HTMLButtonElement.prototype)) {
    const dialog = document.getElementById(button.getAttribute('commandfor'))
    if (dialog instanceof HTMLDialogElement) dialog.showModal()
  }
})

/** A form that is sent is not sent again by a second click; the answer replaces the page. */
document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || form.method !== 'post') return
  if (form.dataset.sent === undefined) form.dataset.sent = ''
  else event.preventDefault()
})
// A page that the browser kept and shows again is as new.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
})
showCopyButtons(document)
