/* global document, Intl, MutationObserver, HTMLInputElement */

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Dates are in the page's language, as the server formats them. */
const LOCALES = { en: 'en-GB', pt: 'pt-PT', zh: 'zh-Hans', ar: 'ar-u-nu-latn' }
const { lang } = document.documentElement
const SEPARATOR = lang === 'ar' ? '، ' : ', '

const format = (options) => new Intl.DateTimeFormat(LOCALES[lang] ?? lang, options)
const DAY = { dateStyle: 'medium' }
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
const utcDay = format({ ...DAY, timeZone: 'UTC' })
const utcClock = format({ ...CLOCK, timeZone: 'UTC' })
const localDay = format(DAY)
const localClock = format({ ...CLOCK, timeZoneName: 'short' })

const inUtc = (at) => `${utcDay.format(at)}${SEPARATOR}${utcClock.format(at)} UTC`

/** Formats a time in the person's zone, with UTC next to it: "30 Nov 2026, 00:15 CET · 29 Nov 2026, 23:15 UTC". */
const inBoth = (at) => {
  const isSameDay = localDay.format(at) === utcDay.format(at)
  const utc = isSameDay ? `${utcClock.format(at)} UTC` : inUtc(at)
  return `${localDay.format(at)}${SEPARATOR}${localClock.format(at)} · ${utc}`
}

/** True if clocks in the person's zone show UTC at this time. */
const isUtc = (at) => at.getTimezoneOffset() === 0

const showLocalTime = (element) => {
  const at = new Date(element.dateTime)
  if (Number.isNaN(at.getTime()) || isUtc(at)) return
  const text = inBoth(at)
  // The check ends the observer's reaction to this very change.
  if (element.textContent !== text) element.textContent = text
}

const twoDigits = (value) => String(value).padStart(2, '0')

/** Formats a time as the value of a `datetime-local` field in the person's zone. */
const toLocalValue = (at) =>
  `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}T${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`

/** Formats a time as the form sends it, in UTC. */
const toUtcValue = (at) => at.toISOString().slice(0, 16)

/**
 * Turns a field that is entered in UTC into one that is entered in the person's zone. A hidden field with its name sends
 * UTC, and a line below says it.
 */
const enterLocally = (input) => {
  const label = document.querySelector(`label[for="${input.id}"] [data-zone]`)
  if (label === null) return
  const sent = document.createElement('input')
  sent.type = 'hidden'
  sent.name = input.name
  const line = document.createElement('span')
  line.className = 'hint'
  line.id = `${input.id}-utc`
  line.setAttribute('role', 'status')
  input.removeAttribute('name')
  input.removeAttribute('data-utc')
  input.setAttribute('aria-describedby', `${input.getAttribute('aria-describedby') ?? ''} ${line.id}`.trim())
  label.textContent = `(${ZONE})`
  const update = () => {
    const at = new Date(input.value)
    const isTime = !Number.isNaN(at.getTime())
    sent.value = isTime ? toUtcValue(at) : input.value
    line.textContent = isTime ? `This is ${inUtc(at)}.` : ''
  }
  // The attribute has the server's value, in UTC; a browser may have restored an earlier entry to the field.
  const initial = new Date(`${input.defaultValue}Z`)
  input.value = Number.isNaN(initial.getTime()) ? '' : toLocalValue(initial)
  update()
  input.addEventListener('input', update)
  input.after(sent, line)
}

const localize = () => {
  for (const element of document.querySelectorAll('time[datetime]')) showLocalTime(element)
  if (ZONE === 'UTC') return
  for (const input of document.querySelectorAll('input[data-utc]'))
    if (input instanceof HTMLInputElement) enterLocally(input)
}

localize()
// Parts of a page are replaced while it is open.
new MutationObserver(localize).observe(document.body, { childList: true, characterData: true, subtree: true })
