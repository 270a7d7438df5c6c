import type { Answer } from '@causeway/dev-env/platform/raw-client'

/** The act of a call; histories consist of the acts about orders. */
export type Act =
  | 'customer.create'
  | 'case.step'
  | 'crypto.create'
  | 'crypto.read'
  | 'crypto.cancel'
  | 'crypto.onramp'
  | 'card.create'
  | 'card.read'
  | 'refund.create'
  | 'list.read'
  | 'webhook.create'
  | 'staff'
  /** Acts outside the platform. */
  | 'outside.deposit'
  | 'outside.pay'
  | 'outside.dispute'
  | 'outside.onramp'

/** Who is asked, and about what. Times in milliseconds since the process began. */
export type Asked = Readonly<{
  act: Act
  /** The object that the call is about: an order's id or key. */
  about?: string
  /** Idempotency key, reference or external id: the same on each repetition. */
  key?: string
  /** Amount of a refund. */
  amountCents?: number
}>

/** A call with its answer. */
export type Entry = Asked &
  Readonly<{
    begin: number
    end: number
    /** 0: the connection ended without an answer. */
    status: number
    code: string | null
    isReplay: boolean
    /** Details of a refusal. */
    details: readonly Record<string, unknown>[]
    data: Record<string, unknown>
  }>

/** `ok`: answered 2xx; `refused`: provably nothing was done; `unknown`: 500, or no answer. */
export const outcomeOf = ({ status }: Pick<Entry, 'status'>): 'ok' | 'refused' | 'unknown' => {
  if (status === 0 || status === 500) return 'unknown'
  return status < 300 ? 'ok' : 'refused'
}

const isReplayed = ({ headers, body }: Answer): boolean =>
  headers.get('idempotent-replayed') === 'true' ||
  (body.data as { replayed?: boolean } | undefined)?.replayed === true

/** Every call of the soak, in the order of their ends. */
export const createJournal = () => {
  const entries: Entry[] = []
  return {
    entries,
    /** Makes a call and records it, whatever comes of it. */
    record: async (asked: Asked, call: () => Promise<Answer>): Promise<Entry> => {
      const begin = performance.now()
      // The connection ended, or what arrived is no JSON.
      const answer = await call().catch((): null => null)
      const entry: Entry = {
        ...asked,
        begin,
        end: performance.now(),
        status: answer?.status ?? 0,
        code: answer?.body.error?.code ?? null,
        isReplay: answer !== null && isReplayed(answer),
        details: answer?.body.error?.details ?? [],
        // Pages of a list are not compared, and there are many.
        data: asked.act === 'list.read' ? {} : ((answer?.body.data as Entry['data'] | undefined) ?? {}),
      }
      entries.push(entry)
      return entry
    },
  }
}
export type Journal = ReturnType<typeof createJournal>

/** Entries by what `keyOf` says of each; those of which it says nothing are left out. */
export const groupBy = <T>(
  entries: readonly T[],
  keyOf: (entry: T) => string | undefined,
): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>()
  for (const entry of entries) {
    const key = keyOf(entry)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return groups
}
