import type { Db, Logger, Vault } from '@causeway/chassis'
import type { Channel } from '../destinations/domain.ts'
import type { Destination } from '../sending/destination.ts'
import { signingOf } from '../sending/signing.ts'
import { listChangedDestinations, type ChangedDestination } from '../destinations/store.ts'
import { readTarget } from '../connect-guard/target.ts'
import type { ChannelPolicy } from '../sending/retry-schedule.ts'

type RegistryDependencies = Readonly<{
  db: Db
  vault: Vault
  log: Logger
  policies: Readonly<Record<Channel, ChannelPolicy>>
  onDeleted: (destinationId: string) => void
}>

/**
 * Every active destination, in memory, ready to send to. One that is disabled, or whose partner is, is not there: no
 * attempt begins, and what waits stays as rows (decisions §46). It follows the database by revision: `refresh` reads
 * what changed since the last time, on a nudge, on a slow poll, before events are fanned out, and before the reply to a
 * change of one.
 */
export class DestinationRegistry {
  readonly #byId = new Map<string, Destination>()
  readonly #byOwner = new Map<string, Destination[]>()
  #revision = 0
  #reading: Promise<void> | null = null
  #next: Promise<void> | null = null
  readonly #dependencies: RegistryDependencies

  constructor(dependencies: RegistryDependencies) {
    this.#dependencies = dependencies
  }

  get(id: string): Destination | undefined {
    return this.#byId.get(id)
  }

  /** The destinations of a partner or a merchant. */
  of(channel: Channel, ownerId: string): readonly Destination[] {
    return this.#byOwner.get(ownerKey(channel, ownerId)) ?? []
  }

  /** Reads what changed, if this revision is newer than the last one read. */
  async reach(revision: number): Promise<void> {
    if (revision > this.#revision) await this.refresh()
  }

  /** Reads what changed up to now: a call during a read waits for another one that begins after it. */
  refresh(): Promise<void> {
    if (!this.#reading) {
      this.#reading = this.#read().finally(() => {
        this.#reading = null
      })
      return this.#reading
    }
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#next = null
        return this.refresh()
      })
    return this.#next
  }

  async #read(): Promise<void> {
    const changed = await listChangedDestinations(this.#dependencies.db, { revision: this.#revision })
    for (const row of changed) {
      this.#apply(row)
      this.#revision = row.revision
    }
  }

  #apply(row: ChangedDestination): void {
    const known = this.#byId.get(row.id)
    if (known) this.#replaceIn(ownerKey(known.channel, known.ownerId), known, null)
    this.#byId.delete(row.id)
    const { secretSealed, isDisabled } = row
    const isSentTo = secretSealed !== null && !isDisabled
    const destination = isSentTo ? this.#prepare({ ...row, secretSealed }, known) : null
    if (!destination) {
      this.#dependencies.onDeleted(row.id)
      return
    }
    this.#byId.set(row.id, destination)
    this.#replaceIn(ownerKey(row.channel, row.ownerId), null, destination)
  }

  #prepare(
    row: ChangedDestination & Readonly<{ secretSealed: string }>,
    known: Destination | undefined,
  ): Destination | null {
    // A URL that was registered under laxer rules is checked by the connect guard at every connect.
    const target = readTarget(row.url)
    if (!target) {
      this.#dependencies.log.error(
        { event: 'webhooks.stored_url_invalid', destinationId: row.id },
        'A stored URL cannot be parsed; nothing is sent to it',
      )
      return null
    }
    return {
      id: row.id,
      channel: row.channel,
      ownerId: row.ownerId,
      integrationId: row.integrationId,
      url: row.url,
      target: known?.url === row.url ? known.target : target,
      eventTypes: row.eventTypes.length === 0 ? null : new Set(row.eventTypes),
      signing: signingOf(this.#dependencies.vault, row),
      policy: this.#dependencies.policies[row.channel],
      revision: row.revision,
    }
  }

  #replaceIn(key: string, old: Destination | null, fresh: Destination | null): void {
    const kept = (this.#byOwner.get(key) ?? []).filter((destination) => destination !== old)
    if (fresh) kept.push(fresh)
    if (kept.length === 0) this.#byOwner.delete(key)
    else this.#byOwner.set(key, kept)
  }
}

const ownerKey = (channel: Channel, ownerId: string): string => `${channel}:${ownerId}`
