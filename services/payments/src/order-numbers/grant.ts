import { NotDoneError, type KeylessServiceContext, type Marks } from '@causeway/chassis'
import { z } from 'zod'
import { isShort, nextSegment, type NumberMark, type Numbered } from './segment.ts'
import { grantNumbers, listNumbers, type NumbersRow } from './store.ts'

/** Others may be faster that many times. */
const MOST_TRIES = 10
/** After the marks did not answer, the database alone is believed for this time. */
const WITHOUT_MARKS_MS = 5_000

/** A mark of when the marks of all numbers were last brought up to the database. */
const SEEN = 'seen'
const Ceiling = z.object({ ceiling: z.number() })
const Seen = z.object({ at: z.number() })

export type NumbersContext = Pick<KeylessServiceContext, 'db' | 'clock' | 'log'> & Readonly<{ marks: Marks }>

type ReadMark = Readonly<{ mark: NumberMark | null; revision: number }>

/** Reads and writes the marks of numbers. A mark is null where none was written, or nobody answers. */
export const createNumberMarks = ({ marks, clock, log }: Omit<NumbersContext, 'db'>) => {
  let awayUntilMs = 0

  const unlessAway = async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (clock.outsideMs() < awayUntilMs) return null
    try {
      return await work()
    } catch (error) {
      awayUntilMs = clock.outsideMs() + WITHOUT_MARKS_MS
      log.warn(
        { event: 'order_numbers.marks_unavailable', error },
        'The high-water marks of order numbers cannot be read or written; only the database is used',
      )
      return null
    }
  }
  return {
    /** @returns null when nobody answers */
    read: (name: Numbered): Promise<ReadMark | null> =>
      unlessAway(async () => {
        const [found, seen] = [await marks.read(name), await marks.read(SEEN)]
        if (found === null) return { mark: null, revision: 0 }
        const { ceiling } = Ceiling.parse(found.value)
        const seenAtMs = seen === null ? 0 : Seen.parse(seen.value).at
        return { mark: { ceiling, seenAtMs }, revision: found.revision }
      }),
    /** @returns false when another process was faster, null when nobody answers */
    write: (name: Numbered, ceiling: number, revision: number): Promise<boolean | null> =>
      unlessAway(() => marks.write(name, { ceiling }, revision)),
    /** Records that the marks are all that was handed out at `atMs`. @returns false when that is not known */
    seen: async (atMs: number): Promise<boolean> => {
      const written = await unlessAway(async () => {
        const seen = await marks.read(SEEN)
        return marks.write(SEEN, { at: atMs }, seen?.revision ?? 0)
      })
      return written !== null
    },
  }
}
export type NumberMarks = ReturnType<typeof createNumberMarks>

const readRow = async ({ db }: Pick<NumbersContext, 'db'>, name: Numbered): Promise<NumbersRow> => {
  const row = (await listNumbers(db)).find((one) => one.name === name)
  if (row === undefined) throw new Error(`The counter ${name} does not exist`)
  return row
}

/** One try. @returns false when another process was faster */
const tryGrant = async (context: NumbersContext, marks: NumberMarks, name: Numbered): Promise<boolean> => {
  const { db, clock, log } = context
  const read = await marks.read(name)
  // After the mark: a row from before another process was granted numbers would have those of its mark skipped.
  const row = await readRow(context, name)
  if (!isShort(row)) return true
  const segment = nextSegment(row, read?.mark ?? null, clock.outsideMs())
  // The mark first: what only it has is skipped, what only the database has could be handed out twice.
  if (read !== null && (await marks.write(name, segment.ceiling, read.revision)) === false) return false
  const granted = await grantNumbers(db, {
    name,
    knownCeiling: row.ceiling,
    knownRun: row.knownRun,
    isOurs: row.run === 'same',
    serverRun: row.serverRun,
    first: segment.first,
    ceiling: segment.ceiling,
    moveTo: segment.first === row.next ? null : segment.first,
    skippedFirst: segment.skipped?.first ?? null,
    skippedEnding: segment.skipped?.ending ?? null,
    now: new Date(clock.outsideMs()),
  })
  if (granted === null) return false
  if (segment.skipped !== null)
    log.warn(
      { event: 'order_numbers.skipped', name, run: row.run, from: row.next, to: segment.first },
      'The database was restored or promoted; order numbers skip those that may have been granted',
    )
  return true
}

/** Grants numbers where too few are left, or where another run of the server was granted them. */
export const grantWhereShort = async (
  context: NumbersContext,
  marks: NumberMarks,
  name: Numbered,
): Promise<void> => {
  for (let tried = 0; tried < MOST_TRIES; tried += 1)
    if (!isShort(await readRow(context, name)) || (await tryGrant(context, marks, name))) return
  throw new NotDoneError(`Numbers of ${name} were not granted: other processes were faster at each attempt`)
}
