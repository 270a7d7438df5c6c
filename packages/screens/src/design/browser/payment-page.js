/* global document, EventSource, fetch, setInterval, setTimeout, performance, AbortSignal */
import { showCopyButtons, toast } from './screens.js'

/** The stream counts as disconnected after this time without a message. The server sends one every 5 s. */
const SILENT_MS = 7_500
const RECONNECT_MS = 500
const POLL_MS = 1_000
/** Polling continues slowly in a final state, because a reorg can revert a confirmed payment. */
const FINAL_POLL_MS = 15_000

const holder = document.getElementById('order')
const { state: stateUrl, events: eventsUrl } = holder.dataset

let source = null
let lastMessageAtMs = performance.now()
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

/** Replaces the order's part only if its version changed: the user may be reading it or selecting text. */
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
  lastMessageAtMs = performance.now()
  const opened = new EventSource(eventsUrl)
  source = opened
  const markAlive = () => {
    lastMessageAtMs = performance.now()
  }
  opened.addEventListener('open', markAlive)
  opened.addEventListener('order', (event) => {
    markAlive()
    show(event.data)
  })
  opened.addEventListener('time', (event) => {
    markAlive()
    setTime(Number(event.data))
  })
  // The browser reconnects automatically; poll immediately for changes that were missed.
  opened.addEventListener('error', () => void poll())
  opened.addEventListener('end', () => {
    opened.close()
    if (source === opened) source = null
  })
}

const isStreaming = () => source?.readyState === 1 && performance.now() - lastMessageAtMs < SILENT_MS

const poll = async () => {
  try {
    const answer = await fetch(stateUrl, { signal: AbortSignal.timeout(5_000) })
    if (answer.ok) show(await answer.text())
  } catch {
    // The next poll retries; the user cannot do anything about it.
  }
}

/** Polls while the stream is disconnected, and reconnects when the browser no longer does. */
const watch = async () => {
  if (!isStreaming()) await poll()
  const hasGivenUp =
    source !== null && (source.readyState === 2 || performance.now() - lastMessageAtMs > SILENT_MS)
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
