import { PAGE_MAX_BYTES, pageOf, type Page } from '@causeway/chassis'
import type { Delivery } from '@causeway/contracts'
import type { DeliveryRow } from './store.ts'

type Attempt = Delivery['attempts'][number]
type StoredAttempt = NonNullable<DeliveryRow['attempts']>[number]

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** An attempt as it is shown, with its receiver's answer or a word that there is one. */
const presentAttempt = ({ has_body: hasBody, ...attempt }: StoredAttempt, withBody: boolean): Attempt =>
  hasBody && !(withBody && attempt.response_body !== null)
    ? { ...attempt, response_body: null, response_body_omitted: true }
    : attempt

/** A delivery with the body of its latest attempt alone. */
const present = (row: DeliveryRow): Delivery => {
  const attempts = row.attempts ?? []
  return {
    delivery_id: row.id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.state,
    attempts: attempts.map((attempt, index) => presentAttempt(attempt, index === attempts.length - 1)),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

/** Puts the bodies of older attempts back, the younger ones of all deliveries first, until one does not fit. */
const addBodies = (items: readonly Delivery[], rows: readonly DeliveryRow[]): void => {
  let left = PAGE_MAX_BYTES - sizeOf(items)
  const deepest = Math.max(0, ...items.map(({ attempts }) => attempts.length))
  for (let age = 1; age < deepest; age += 1)
    for (const [index, { attempts }] of items.entries()) {
      const at = attempts.length - 1 - age
      const [shown, stored] = [attempts[at], rows[index]?.attempts?.[at]]
      if (!shown || !stored || shown.response_body_omitted === undefined) continue
      const whole = presentAttempt(stored, true)
      left -= sizeOf(whole) - sizeOf(shown)
      if (left < 0 || whole.response_body_omitted) return
      attempts[at] = whole
    }
}

/**
 * A page of deliveries of at most 512 KiB: bodies of older attempts are left out first, and where the latest ones
 * alone are too many, the page is shorter (decisions §18).
 */
export const pageOfDeliveries = (rows: readonly DeliveryRow[]): Page<Delivery, DeliveryRow> => {
  // The latest bodies that were not read are of the next page.
  const unread = rows.findIndex(({ attempts }) => {
    const latest = attempts?.at(-1)
    return latest?.has_body === true && latest.response_body === null
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
