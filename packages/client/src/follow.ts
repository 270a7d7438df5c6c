import { ApiError, ConnectionError, RateLimitError, UnavailableError } from './errors.ts'
import type { CallOptions, Data, FeedEvent, FollowInput, Method } from './types.ts'
import { sleep } from './waiting.ts'

type Page = Data<'listFeedEvents'>

/** Longest wait that the feed offers. */
const WAIT_S = 30
/** Added to the wait: time for the response of a request that waited. */
const RESPONSE_MS = 15_000
/** Pause after an empty page that came early, as when the platform restarts. */
const EARLY_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

/** The platform cannot be reached, or requests a pause. Everything else ends the iteration. */
const mayPass = (error: unknown): boolean =>
  error instanceof RateLimitError ||
  error instanceof UnavailableError ||
  error instanceof ConnectionError ||
  (error instanceof ApiError && error.status === 500)

/**
 * Yields the events of the feed in order, and then each new one, until the signal aborts or the loop is left. After a
 * lost connection it continues behind the last page.
 */
export async function* followFeed(
  list: Method<'listFeedEvents'>,
  { after, since, ...filter }: FollowInput,
  options: CallOptions,
): AsyncGenerator<FeedEvent, never, undefined> {
  const { signal } = options
  const timeoutMs = WAIT_S * 1_000 + RESPONSE_MS
  let position: Pick<FollowInput, 'after' | 'since'> = after === undefined ? { since } : { after }
  let failures = 0
  for (;;) {
    const begunMs = performance.now()
    let page: Page
    try {
      page = await list({ ...filter, ...position, wait: WAIT_S }, { timeoutMs, ...options })
    } catch (error) {
      signal?.throwIfAborted()
      if (!mayPass(error)) throw error
      await sleep(Math.min(EARLY_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS), signal)
      failures += 1
      continue
    }
    failures = 0
    yield* page.events
    if (page.resume_after !== null) position = { after: page.resume_after }
    const isEarly = page.events.length === 0 && page.next_cursor === null
    if (isEarly && performance.now() - begunMs < EARLY_PAUSE_MS) await sleep(EARLY_PAUSE_MS, signal)
  }
}
