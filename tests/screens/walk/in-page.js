/* global document, location, history, Event, HTMLSelectElement, URL */

// Put into every page before its own scripts: what the walk sees of a page, and how it acts there.

/** Other sites, downloads and pages of their own are not walked to. */
const isWalkable = (link) =>
  link.checkVisibility() &&
  link.origin === location.origin &&
  !link.hasAttribute('download') &&
  link.target !== '_blank' &&
  !/\/(file|content)$/.test(link.pathname) &&
  !link.getAttribute('href').startsWith('#')

const links = () => [...document.querySelectorAll('a[href]')].filter(isWalkable)
/** Forms in a dialog that is closed count too: a button opens it. */
const forms = () => [...document.forms].filter((form) => form.getAttribute('method') !== 'dialog')
const controls = (form) => [...form.elements].filter(({ name, type }) => name !== '' && type !== 'submit')

const describe = (control) => ({
  name: control.name,
  type: control instanceof HTMLSelectElement ? 'select' : control.type,
  options: control instanceof HTMLSelectElement ? [...control.options].map(({ value }) => value) : [],
})

/** A page without a link or a button may still say what to do, such as to ask for a new link. */
const waysOn = () =>
  [...document.querySelectorAll('main a[href], nav a[href], main button, main .notice, main .hint')].filter(
    (part) => part.checkVisibility(),
  ).length

const look = () => ({
  headings: [...document.querySelectorAll('h1')].filter((heading) => heading.checkVisibility()).length,
  waysOn: waysOn(),
  // An element that only the walk's own values would make.
  made: document.querySelectorAll('walk-mark').length,
  links: links().map(({ href }) => href),
  forms: forms().map((form) => ({
    // A control may be named `action`, and would hide the form's own.
    action: new URL(form.getAttribute('action') ?? '', location.href).pathname,
    fields: controls(form).map(describe),
  })),
  html: document.documentElement.outerHTML,
})

const follow = (index) => links()[index]?.click()

const enter = (control, value) => {
  if (control.type === 'checkbox' || control.type === 'radio') control.checked = value === 'true'
  else control.value = value
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
}

/** @param values of the controls, in their order; null leaves one as it is */
const submit = (index, values) => {
  const form = forms()[index]
  if (form === undefined) return
  for (const [place, control] of controls(form).entries()) {
    const value = values[place] ?? null
    if (value !== null) enter(control, value)
  }
  form.noValidate = true
  form.requestSubmit()
}

globalThis.walk = { look, follow, submit, back: () => history.back() }
