import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { ConfigError } from '../settings/load.ts'
import { createVault, type Vault, type VaultKeys } from '../crypto.ts'
import { createDb, type Db } from '../db/db.ts'
import type { Logger } from '../log.ts'
import { startLoop } from '../loop.ts'
import { findFormerRoot, formerKeysOf, type DataKey } from './former.ts'
import { openProviders, type KeyProviders } from './providers.ts'
import * as store from './ring-store.ts'
import type { RingRow } from './ring-store.ts'
import type { SealedColumn } from './sealed-column.ts'
import type { KeyConfig } from './settings.ts'

/** A service's use of its key ring. */
export type VaultUse = Readonly<{
  columns: readonly SealedColumn[]
  /** Purposes of keyed hashes that are older than key rings; later ones need not be listed. */
  formerHashPurposes: readonly string[]
}>

/** The data keys of one service, unwrapped. */
export type KeyRing = Readonly<{
  vault: Vault
  /** Reads changes of other processes, and of the files of the keys. @throws when the database or key provider is unavailable */
  refresh: () => Promise<void>
  /** Adds a key that opens immediately and seals after `activateNext`. A key that is already waiting is kept instead. */
  addNext: () => Promise<void>
}>

export type RingParts = Readonly<{
  service: string
  /** Address of the service's database: long reads use a connection of their own. */
  db: Db
  databaseUrl: string
  clock: Clock
  log: Logger
  config: KeyConfig
  use: VaultUse
  /** Factor of the database's timeouts; left out: 1. */
  timeoutFactor?: number
}>

/** How often a running process looks for new data keys. */
export const REFRESH_MS = 10_000
const SCAN_TIMEOUT_MS = 600_000
const HASH = 'hash'
const HASH_FOR = 'hash:'

const newKey = (purpose: string): DataKey => ({
  id: randomBytes(4).toString('hex'),
  purpose,
  key: randomBytes(32),
})

/** The check reads whole tables, which may be large: it has separate connections and timeouts. */
const formerRootOf = async (parts: RingParts) => {
  const { service, databaseUrl, clock, log, config, use, timeoutFactor = 1 } = parts
  const db = createDb({
    url: databaseUrl,
    name: `${service}-keys`,
    log,
    clock,
    poolSize: 1,
    pipelinedConnections: 1,
    statementTimeoutMs: SCAN_TIMEOUT_MS,
    timeoutFactor,
  })
  try {
    await db.open()
    return await findFormerRoot(db, config, use.columns)
  } finally {
    await db.close()
  }
}

const toVaultKeys = (rows: readonly RingRow[], opened: ReadonlyMap<string, Buffer>): VaultKeys => {
  const sealing = new Map<string, KeyObject>()
  const hashingFor = new Map<string, KeyObject>()
  let sealingKeyId: string | undefined
  let hashing: Buffer | undefined
  for (const { keyId: id, purpose, state } of rows) {
    const key = opened.get(id)
    if (key === undefined) continue
    if (purpose === 'seal') sealing.set(id, createSecretKey(key))
    if (purpose === 'seal' && state === 'active') sealingKeyId = id
    if (purpose === HASH) hashing = key
    if (purpose.startsWith(HASH_FOR)) hashingFor.set(purpose.slice(HASH_FOR.length), createSecretKey(key))
  }
  if (sealingKeyId === undefined || hashing === undefined)
    throw new Error('A key ring contains no active key')
  return { sealingKeyId, sealing, hashing, hashingFor }
}

const openings = ({ current, previous }: KeyProviders, rows: readonly RingRow[]) =>
  [current, ...previous].flatMap((provider) =>
    rows.filter((row) => provider.opens(row.wrappingKey)).map((row) => ({ provider, row })),
  )

const nothingOpens = (row: RingRow): ConfigError =>
  new ConfigError(
    `Bad settings: ENCRYPTION_KEY cannot unwrap the keys of this database, which were wrapped by ${row.wrappingKey}; ` +
      'during a rotation, set PREVIOUS_ENCRYPTION_KEY to the previous key',
  )

const hasSameKeys = (one: KeyConfig, other: KeyConfig): boolean =>
  keyText(one.encryptionKey) === keyText(other.encryptionKey) &&
  keyText(one.previousEncryptionKey) === keyText(other.previousEncryptionKey)

const keyText = (key: Buffer | undefined): string => key?.toString('base64') ?? ''

const generationOf = (row: RingRow | undefined): number => row?.generation ?? 0

const wrapsByKey = (rows: readonly RingRow[]) => Map.groupBy(rows, (row) => row.keyId)

/** @throws ConfigError where these providers open a data key no more */
const assertOpens = (providers: KeyProviders, rows: readonly RingRow[]): void => {
  for (const wraps of wrapsByKey(rows).values())
    if (openings(providers, wraps).length === 0) throw nothingOpens(wraps[0] as RingRow)
}

/**
 * Opens the data keys of a service, and generates them at its first start. Keys wrapped by the previous key-encryption
 * key are wrapped by the current one too; wraps by keys that no setting names any more are deleted. Replicas may start
 * together, also with different keys, as long as one of them has both.
 * @throws ConfigError that names the setting
 */
export const openKeyRing = async (parts: RingParts): Promise<KeyRing> => {
  const { service, db, clock, log, use } = parts
  let { config } = parts
  let providers = await openProviders(config, log)
  const opened = new Map<string, Buffer>()
  const contextOf = (id: string, purpose: string) => `causeway/${service}/${purpose}/${id}`

  const add = async ({ id, purpose, key }: DataKey, state: RingRow['state']) => {
    const { current } = providers
    const wrapped = await current.wrap(key, contextOf(id, purpose))
    await store.addKey(db, { keyId: id, purpose, state, wrappingKey: current.id, wrapped, now: clock.now() })
  }
  const unwrap = async (wraps: readonly RingRow[]): Promise<Buffer> => {
    const [opening] = openings(providers, wraps)
    if (opening === undefined) throw nothingOpens(wraps[0] as RingRow)
    const { provider, row } = opening
    return provider.unwrap(row.wrapped, contextOf(row.keyId, row.purpose))
  }
  const read = async (): Promise<VaultKeys> => {
    const rows = await store.readRing(db)
    for (const [id, wraps] of wrapsByKey(rows)) if (!opened.has(id)) opened.set(id, await unwrap(wraps))
    return toVaultKeys(rows, opened)
  }
  const isMade = async () => (await store.readRing(db)).some(({ purpose }) => purpose === HASH)
  /** First start of a service: random keys, or those derived from the former root key. */
  const make = async () => {
    const root = await formerRootOf(parts).catch(async (error: unknown) => {
      // Another replica may have made the ring since, and have sealed values with it.
      if (error instanceof ConfigError && (await isMade())) return undefined
      throw error
    })
    if (root === undefined) return
    const former = root === null ? [] : formerKeysOf(root, use.formerHashPurposes)
    // A former key seals until `reencrypt`: replicas of the previous version may still run, and know no other key.
    for (const key of former) await add(key, 'active')
    if (root === null) await add(newKey('seal'), 'active')
    await add(newKey(HASH), 'active')
    log.info({ event: 'keys.ring_made', fromFormerRoot: root !== null }, 'Created the key ring')
  }
  const isPrevious = (row: RingRow) => providers.previous.some((each) => each.opens(row.wrappingKey))
  const rewrap = async () => {
    const { current } = providers
    const rows = await store.readRing(db)
    for (const [id, wraps] of wrapsByKey(rows)) {
      const own = wraps.find((row) => row.wrappingKey === current.id)
      const isLatest = wraps.every(
        (row) => row === own || !isPrevious(row) || row.generation < generationOf(own),
      )
      if (own !== undefined && isLatest) continue
      const key = opened.get(id) ?? (await unwrap(wraps))
      const wrapped = await current.wrap(key, contextOf(id, wraps[0]?.purpose ?? ''))
      await store.addWrap(db, { keyId: id, wrappingKey: current.id, wrapped })
      log.info({ event: 'keys.wrapped', keyId: id, wrappingKey: current.id }, 'Wrapped a data key')
    }
    const unneeded = rows.filter((row) => row.wrappingKey !== current.id && !isPrevious(row))
    const ids = [...new Set(unneeded.map((row) => row.wrappingKey))]
    if (ids.length > 0) await store.deleteOlderWraps(db, { currentKey: current.id, unneededKeys: ids })
  }

  /** Uses other key-encryption keys from now on. @throws ConfigError where they open a data key of the ring no more */
  const replaceProviders = async (next: KeyConfig) => {
    const others = await openProviders(next, log)
    assertOpens(others, await store.readRing(db))
    providers = others
    config = next
    await rewrap()
  }

  if (!(await isMade())) await make()
  let keys = await read()
  await rewrap()
  return {
    vault: createVault(() => keys),
    async refresh() {
      const next = parts.config.reread?.() ?? config
      if (!hasSameKeys(config, next)) await replaceProviders(next)
      keys = await read()
    },
    addNext: () => add(newKey('seal'), 'next'),
  }
}

/** Reads the key ring every few seconds, for changes of other processes. */
export const followKeyRing = (ring: KeyRing, { log, config }: Pick<RingParts, 'log' | 'config'>) =>
  startLoop({
    name: 'key-ring',
    everyMs: config.refreshMs ?? REFRESH_MS,
    restMs: 0,
    log,
    run: () => ring.refresh(),
  })
