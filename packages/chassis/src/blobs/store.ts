import type { Bus } from '../bus/connect.ts'
import type { Clock } from '../clock.ts'

/** Bytes in pieces, in order, made or taken one at a time. */
export type Pieces = AsyncIterable<Uint8Array>

/**
 * Where bytes lie that are too large for a row. It sees ciphertext only.
 * Keys are made by the platform: 1 to 64 letters, digits, `_` or `-`; each is written once.
 */
export type BlobStore = Readonly<{
  /** Stores bytes under a new key; nothing can be read under it before all of them are stored. */
  put(key: string, pieces: Pieces): Promise<void>
  /** The bytes of a key, or null when no whole object lies there. */
  get(key: string): Promise<Pieces | null>
  /** Deletes what lies under a key, also what a broken-off put has left; nothing there is fine. */
  remove(key: string): Promise<void>
}>

/** What a store stands on. */
export type BlobGround = Readonly<{ bus: Bus; clock: Clock }>
