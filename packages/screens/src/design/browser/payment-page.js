/* global document, EventSource, fetch, setInterval, setTimeout, performance, AbortSignal */
import { showCopyButtons, toast } from './screens.js'

/** Without a message for this long (the server sends one every 5 s), the stream counts as cut. */
const SILENT_MS = 7_500
const RECONNECT_MS = 500
const POLL_MS = 1_000
/** After a final state it is looked at again now and then: a network can take back what it had confirmed. */
const FINAL_POLL_MS = 15_000

const holder = document.getElementById('order')
const address = holder.dataset.address

let source = null
let heardAtMs = performance.now()
let ends = { shownAtMs: 0, seconds: 0 }

const shown = () => holder.firstElementChild

const twoDigits = (value) => String(value).padStart(2, '0')

const showTime = () => {
  const countdown = document.getElementById('countdown')
  if (countdown === null) return
  const seconds = Math.max(0, Math.ceil(ends.seconds - (performance.now() - ends.shownAtMs) / 1_000))
  countdown.textContent = `${Math.floor(seconds / 3_600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
}
const setTime = (seconds) => {
  ends = { shownAtMs: performance.now(), seconds }
  showTime()
}

/** Replaces the part that changes, unless it is what is shown already: a person may be reading or selecting in it. */
const show = (text) => {
  const part = document.createElement('template')
  part.innerHTML = text
  const next = part.content.firstElementChild
  if (next === null || next.dataset.version === shown().dataset.version) return
  const focused = document.activeElement?.getAttribute('aria-label')
  if (next.dataset.news !== shown().dataset.news) toast(next.dataset.news)
  document.title = next.dataset.title
  holder.replaceChildren(next)
  showCopyButtons(holder)
  if (focused) holder.querySelector(`[aria-label="${focused}"]`)?.focus()
  const countdown = document.getElementById('countdown')
  if (countdown !== null) setTime(Number(countdown.dataset.seconds))
}

const isFinal = () => shown().dataset.final === 'true'

const connect = () => {
  source?.close()
  heardAtMs = performance.now()
  const opened = new EventSource(`${address}/events`)
  source = opened
  const heard = () => {
    heardAtMs = performance.now()
  }
  opened.addEventListener('open', heard)
  opened.addEventListener('order', (event) => {
    heard()
    show(event.data)
  })
  opened.addEventListener('time', (event) => {
    heard()
    setTime(Number(event.data))
  })
  // A cut: the browser opens the stream again by itself, and what has happened meanwhile is asked for at once.
  opened.addEventListener('error', () => void poll())
  opened.addEventListener('end', () => {
    opened.close()
    if (source === opened) source = null
  })
}

const isStreaming = () => source?.readyState === 1 && performance.now() - heardAtMs < SILENT_MS

const poll = async () => {
  try {
    const answer = await fetch(`${address}/state`, { signal: AbortSignal.timeout(5_000) })
    if (answer.ok) show(await answer.text())
  } catch {
    // The next poll asks again: there is nothing that the reader could do.
  }
}

/** Polls while the stream is cut, and opens it again where the browser has given up on it. */
const watch = async () => {
  if (!isStreaming()) await poll()
  const hasGivenUp = source !== null && (source.readyState === 2 || performance.now() - heardAtMs > SILENT_MS)
  if (!isFinal() && (source === null || hasGivenUp)) setTimeout(connect, RECONNECT_MS)
  setTimeout(watch, isFinal() ? FINAL_POLL_MS : POLL_MS)
}

const countdown = document.getElementById('countdown')
if (countdown !== null) setTime(Number(countdown.dataset.seconds))
setInterval(showTime, 1_000)
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void poll()
})
if (!isFinal()) connect()
setTimeout(watch, POLL_MS)
