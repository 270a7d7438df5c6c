import { jsonBytes, PAGE_MAX_BYTES, pageOf, type Page } from '@causeway/chassis'
import type { Delivery } from '@causeway/contracts'
import type { DeliveryRow } from './store.ts'

type Attempt = Delivery['attempts'][number]
type StoredAttempt = NonNullable<DeliveryRow['attempts']>[number]

/** An attempt with its response body, or with the remark that it has one. */
const presentAttempt = (stored: StoredAttempt, withBody: boolean): Attempt => {
  const shown = {
    at: stored.at,
    status_code: stored.statusCode,
    latency_ms: stored.latencyMs,
    error: stored.error,
    response_body: stored.responseBody,
  }
  const omits = stored.hasBody && !(withBody && stored.responseBody !== null)
  return omits ? { ...shown, response_body: null, response_body_omitted: true } : shown
}

/** A delivery with the body of its latest attempt alone. */
const present = (row: DeliveryRow): Delivery => {
  const attempts = row.attempts ?? []
  return {
    delivery_id: row.id,
    event_id: row.eventId,
    event_type: row.eventType,
    status: row.state,
    attempts: attempts.map((attempt, index) => presentAttempt(attempt, index === attempts.length - 1)),
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  }
}

/** Adds the bodies of older attempts, the younger ones of all deliveries first, until one does not fit. */
const addBodies = (items: readonly Delivery[], rows: readonly DeliveryRow[]): void => {
  let freeBytes = PAGE_MAX_BYTES - jsonBytes(items)
  const deepest = Math.max(0, ...items.map(({ attempts }) => attempts.length))
  for (let age = 1; age < deepest; age += 1)
    for (const [index, { attempts }] of items.entries()) {
      const at = attempts.length - 1 - age
      const [shown, stored] = [attempts[at], rows[index]?.attempts?.[at]]
      if (!shown || !stored || shown.response_body_omitted === undefined) continue
      const whole = presentAttempt(stored, true)
      freeBytes -= jsonBytes(whole) - jsonBytes(shown)
      if (freeBytes < 0 || whole.response_body_omitted) return
      attempts[at] = whole
    }
}

/**
 * A page of deliveries of at most 512 KiB: bodies of older attempts are left out first, and where the latest ones
 * alone are too many, the page is shorter (decisions §18).
 */
export const pageOfDeliveries = (rows: readonly DeliveryRow[]): Page<Delivery, DeliveryRow> => {
  // A latest body that was not read belongs to the next page.
  const unread = rows.findIndex(({ attempts }) => {
    const latest = attempts?.at(-1)
    return latest?.hasBody === true && latest.responseBody === null
  })
  const page = pageOf({ rows, limit: unread === -1 ? rows.length : unread, present })
  addBodies(page.items, rows)
  return page
}

/** One delivery, bounded alike. */
export const presentDelivery = (row: DeliveryRow): Delivery => {
  const item = present(row)
  addBodies([item], [row])
  return item
}
