/** The fields of Stripe's objects that its documentation promises and the adapter uses. Times are Unix seconds. */
export type Intent = {
  id: string
  object: 'payment_intent'
  status: string
  amount: number
  amount_received: number
  currency: string
  metadata: Record<string, string>
}

export type Session = {
  id: string
  object: 'checkout.session'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  amount_total: number
  currency: string
  client_reference_id: string | null
  customer_email: string | null
  customer_details: { email: string | null } | null
  metadata: Record<string, string>
  payment_intent: string | null
  url: string | null
}

export type Refund = {
  id: string
  object: 'refund'
  amount: number
  currency: string
  payment_intent: string
  metadata: Record<string, string>
  status: string
  created: number
}

export type Dispute = {
  id: string
  object: 'dispute'
  amount: number
  currency: string
  payment_intent: string
  status: string
  reason: string
  created: number
  evidence: { customer_purchase_ip: string | null }
  balance_transactions: { id: string; object: 'balance_transaction'; fee: number; currency: string }[]
}

export type Listed = { id: string; created?: number }

/** API reference: Pagination. Newest first; `starting_after` is the last id of the page before. */
export const page = <T extends Listed>(
  newestFirst: readonly T[],
  query: { limit: string | null; startingAfter: string | null },
) => {
  const limit = Number(query.limit ?? 10)
  const from =
    query.startingAfter === null ? 0 : newestFirst.findIndex(({ id }) => id === query.startingAfter) + 1
  const data = newestFirst.slice(from, from + limit)
  return { object: 'list', data, has_more: from + limit < newestFirst.length }
}
