import { MARK_STREAM, markSubject, type ServiceName } from '@causeway/contracts'
import { JetStreamApiError } from '@nats-io/jetstream'
import type { Bus } from './connect.ts'

const WRONG_LAST_SEQUENCE = 10_071

/** A value of a mark, and the revision that replaces it must name. */
export type Mark = Readonly<{ value: unknown; revision: number }>

/**
 * Values that a service keeps outside of its database, each replaced by compare-and-set (ADR 0072). The gateway creates
 * the stream that holds them.
 */
export type Marks = Readonly<{
  /** The mark, or null where it was never written. @throws when the stream does not answer or does not exist */
  read: (name: string) => Promise<Mark | null>
  /**
   * Writes a mark whose revision is this one; 0: that was never written.
   * @returns false when another process was faster
   * @throws when the outcome is unknown
   */
  write: (name: string, value: unknown, revision: number) => Promise<boolean>
}>

export const createMarks = (
  bus: Pick<Bus, 'jetstream' | 'jetstreamManager'>,
  service: ServiceName,
): Marks => ({
  async read(name) {
    const manager = await bus.jetstreamManager()
    const subject = markSubject(service, name)
    const message = await manager.streams.getMessage(MARK_STREAM, { last_by_subj: subject })
    return message && { value: message.json(), revision: message.seq }
  },
  async write(name, value, revision) {
    try {
      const expect = { lastSubjectSequence: revision }
      await bus.jetstream.publish(markSubject(service, name), JSON.stringify(value), { expect })
      return true
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === WRONG_LAST_SEQUENCE) return false
      throw error
    }
  },
})
