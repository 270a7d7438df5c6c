import { setTimeout as delay } from 'node:timers/promises'
import { createRawClient, signIn, type Answer, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { outcomeOf, type Asked, type Entry, type Journal } from '../journal.ts'

/** A request that may be repeated: it has a key, a reference, or no effect. */
export type Request = Readonly<{
  method: 'get' | 'post' | 'put'
  path: string
  body?: unknown
  headers?: Record<string, string>
}>

/** Somebody who calls the platform; every call is in the journal. */
export type Session = Readonly<{
  /** One call. */
  send: (asked: Asked, request: Request) => Promise<Entry>
  /** Repeats a call until it is answered with its outcome, or the load ends; the last answer. */
  insist: (asked: Asked, request: Request) => Promise<Entry>
}>

/** A call with an unknown outcome at the end of the load: it is retried after all faults have ended. */
export type Unsettled = Readonly<{ session: Session; asked: Asked; request: Request }>

const RETRY_MS = 200
/** Shorter than the 15 minutes of a token. */
const TOKEN_MS = 10 * 60_000

/** Checks whether the caller knows the outcome of its call. Only 503 means: retry. */
export const isSettled = (entry: Entry): boolean => outcomeOf(entry) !== 'unknown' && entry.status !== 503

/** @param client gives the client to call with: a new one when its token is about to end */
const createSession = (
  journal: Journal,
  client: () => Promise<RawClient>,
  load: Readonly<{ isOver: () => boolean; unsettled: Unsettled[] }>,
): Session => {
  const call = async ({ method, path, body, headers }: Request): Promise<Answer> => {
    const api = await client()
    if (method === 'get') return api.get(path, headers)
    return method === 'put' ? api.put(path, body) : api.post(path, body, headers)
  }
  const session: Session = {
    send: (asked, request) => journal.record(asked, () => call(request)),
    insist: async (asked, request) => {
      for (;;) {
        const entry = await session.send(asked, request)
        if (isSettled(entry)) return entry
        if (load.isOver()) {
          if (request.method !== 'get') load.unsettled.push({ session, asked, request })
          return entry
        }
        await delay(RETRY_MS)
      }
    },
  }
  return session
}

/** Signs in anew before the token ends, and when signing in failed. */
const renewed = (signInAgain: () => Promise<RawClient>): (() => Promise<RawClient>) => {
  let current: Promise<RawClient> | null = null
  let untilMs = 0
  return async () => {
    if (current === null || performance.now() > untilMs) {
      const asked = signInAgain()
      current = asked
      untilMs = performance.now() + TOKEN_MS
      asked.catch(() => {
        if (current === asked) current = null
      })
    }
    return current
  }
}

/** Sessions of the parties of one soak; they share its journal. */
export const createSessions = (
  site: Readonly<{ baseUrl: string; sandboxUrl: string; operatorKey: string }>,
  journal: Journal,
  isOver: () => boolean,
) => {
  const unsettled: Unsettled[] = []
  const load = { isOver, unsettled }
  const open = (client: RawClient) => createSession(journal, () => Promise.resolve(client), load)
  const { baseUrl } = site
  return {
    unsettled,
    staff: open(createRawClient({ baseUrl, headers: { authorization: `Bearer ${site.operatorKey}` } })),
    outside: open(createRawClient({ baseUrl: site.sandboxUrl })),
    ofPartner: (credentials: Readonly<{ clientId: string; clientSecret: string }>) =>
      createSession(
        journal,
        renewed(() => signIn({ baseUrl, ...credentials })),
        load,
      ),
  }
}
export type Sessions = ReturnType<typeof createSessions>
