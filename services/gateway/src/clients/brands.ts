import { atMostEntries, call, newId, type Bus, type Clock, type Logger } from '@causeway/chassis'
import { brands, type Brand, type ShownFor } from '@causeway/contracts'
import { LRUCache } from 'lru-cache'

/** Brands in memory, each of at most some KB. */
const CAPACITY = 10_000
/** How long a brand is shown after it was read, in milliseconds (decisions §53). */
const FRESH_MS = 10_000
/** Longest time that a page waits for its brand, in milliseconds. */
const TIMEOUT_MS = 1_000
/** How long nothing is read after a failure, in milliseconds. */
const PAUSE_MS = 2_000

type Dependencies = Readonly<{ bus: Bus; clock: Clock; log: Logger; timeoutMs: number }>
type Read = Readonly<{ brand: Brand | null; freshUntilMs: number }>

/** Reads brands of pages. It never fails: without onboarding a page shows the last brand known, or none. */
export type FindBrand = (page: ShownFor) => Promise<Brand | null>

/** Reads the image of a logo as base64; null if it is gone or cannot be read. */
export type ReadLogo = (contentHash: string) => Promise<string | null>

/** Creates the reader of images for documents that embed them. Pages load them from their address. */
export const createReadLogo =
  ({ bus, clock, log, timeoutMs }: Dependencies): ReadLogo =>
  async (contentHash) => {
    try {
      const answer = await call(bus, clock, brands.getLogo, {
        ...{ params: { contentHash }, caller: { kind: 'public' }, requestId: newId('request'), safe: true },
        timeoutMs: Math.min(timeoutMs, TIMEOUT_MS),
      })
      return answer.ok ? answer.value.content_base64 : null
    } catch (error) {
      log.warn({ event: 'screens.logo_unavailable', error }, 'A logo was not read; its document has none')
      return null
    }
  }

/** Creates the reader that all pages of this process share; concurrent reads of a brand share one call. */
export const createFindBrand = ({ bus, clock, log, timeoutMs }: Dependencies): FindBrand => {
  const known = new LRUCache<string, Read>(atMostEntries(CAPACITY))
  const inFlight = new Map<string, Promise<Brand | null>>()

  const read = async (key: string, page: ShownFor): Promise<Brand | null> => {
    try {
      const answer = await call(bus, clock, brands.getShown, {
        ...{ body: page, caller: { kind: 'public' }, requestId: newId('request'), safe: true },
        timeoutMs: Math.min(timeoutMs, TIMEOUT_MS),
      })
      if (!answer.ok) throw new Error(`${brands.getShown.subject} answered ${answer.code}`)
      const { brand } = answer.value
      known.set(key, { brand, freshUntilMs: clock.nowMs() + FRESH_MS })
      return brand
    } catch (error) {
      log.warn(
        { event: 'screens.brand_unavailable', error },
        'A brand was not read; its page shows the last one',
      )
      const brand = known.get(key)?.brand ?? null
      known.set(key, { brand, freshUntilMs: clock.nowMs() + PAUSE_MS })
      return brand
    }
  }

  return (page) => {
    const key = JSON.stringify(page)
    const cached = known.get(key)
    if (cached !== undefined && clock.nowMs() < cached.freshUntilMs) return Promise.resolve(cached.brand)
    const pending = inFlight.get(key)
    if (pending !== undefined) return pending
    const started = read(key, page).finally(() => inFlight.delete(key))
    inFlight.set(key, started)
    return started
  }
}
