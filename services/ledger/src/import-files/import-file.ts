import {
  createBulkhead,
  NotDoneError,
  openBlob,
  refuse,
  reply,
  type Clock,
  type Db,
  type Queryable,
} from '@causeway/chassis'
import { MAX_LISTED_LINES, type FileImportReport, type StoredCsvOrXml } from '@causeway/contracts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import type { z } from 'zod'
import * as store from './store.ts'

/** Lines that one statement stores. */
const BATCH = 1_000
/** Longest time in milliseconds that an import keeps the event loop to itself. */
const TURN_MS = 20
/** Time in milliseconds that the answer needs to arrive. */
const RESERVE_MS = 500

const NOT_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f]/
const EXPECTED_TEXT = 'UTF-8 without control characters other than tabs and line ends'

/** A file in the body of a request, or one that is stored. */
export type ImportBody =
  Readonly<{ xml: string }> | Readonly<{ csv: string }> | z.infer<typeof StoredCsvOrXml>
export type FileType = 'csv' | 'xml'

const NOTHING_STORED = { stored: 0, differing: new Set<string>() }

type Rejected = FileImportReport['rejected'][number]
type Numbered<Line> = Readonly<{ line: number; read: Line }>

/** How the lines of one source are read and stored. */
export type Source<Line> = Readonly<{
  /** Imports of one source follow one another. */
  name: string
  /** Yields each line, or why it is rejected; null: a step that found nothing. */
  read: (text: string) => Iterable<Readonly<{ line: number; found: Line | string }> | null>
  /** Checks for the error of `read` for a file that cannot be read as a whole. Its message says what is expected. */
  isFault: (error: unknown) => error is Error
  /** @returns the number of lines that were new, and the ids of those that are known with other content */
  store: (
    tx: Queryable,
    lines: readonly Line[],
  ) => Promise<Readonly<{ stored: number; differing: ReadonlySet<string> }>>
  /** Called after the last line, in the same transaction. */
  finish?: (tx: Queryable) => Promise<void>
  idOf: (line: Line) => string
  /** Why a line of a known id and other content is rejected. */
  differs: string
}>

/** Thrown for a file that is no text. The message says what is expected. */
class FileError extends Error {}

async function* readParts(db: Queryable, blobKey: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const found = await store.getPart(db, { blobKey, part })
    if (found === null) return
    yield found.sealed
  }
}

const decode = (decoder: TextDecoder, bytes?: Buffer): string => {
  try {
    const text = decoder.decode(bytes, { stream: bytes !== undefined })
    if (!NOT_TEXT.test(text)) return text
  } catch {
    // Not UTF-8: refused below.
  }
  throw new FileError(EXPECTED_TEXT)
}

const textOf = async (db: Queryable, body: ImportBody): Promise<string> => {
  if ('csv' in body) return body.csv
  if ('xml' in body) return body.xml
  const { blob_key: blobKey, blob_secret: secret } = body.file
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  // Piece by piece: to check all of it in one turn would take 200 ms.
  for await (const bytes of openBlob(readParts(db, blobKey), secret)) text += decode(decoder, bytes)
  return text + decode(decoder)
}

/** The type of a file, which is also the field that faults of the file name. */
export const typeOf = (body: ImportBody): FileType => {
  if ('file' in body) return body.file.type
  return 'xml' in body ? 'xml' : 'csv'
}

/** Groups lines with the rejections between them. Others have their turn in between. */
async function* inBatches<Line>(steps: ReturnType<Source<Line>['read']>) {
  let lines: Numbered<Line>[] = []
  let rejected: Rejected[] = []
  let since = performance.now()
  for (const step of steps) {
    if (performance.now() - since > TURN_MS) {
      await nextTurn()
      since = performance.now()
    }
    if (step === null) continue
    const { line, found } = step
    if (typeof found === 'string') rejected.push({ line, reason: found })
    else lines.push({ line, read: found })
    if (lines.length + rejected.length < BATCH) continue
    yield { lines, rejected }
    lines = []
    rejected = []
    since = performance.now()
  }
  yield { lines, rejected }
}

/** Counts the lines by their result; lists the first rejected ones. */
const createReport = () => {
  const listed: Rejected[] = []
  const counts = { imported: 0, duplicates: 0, rejected: 0 }
  return {
    add(imported: number, duplicates: number, rejected: readonly Rejected[]): void {
      counts.imported += imported
      counts.duplicates += duplicates
      counts.rejected += rejected.length
      const inOrder = rejected.toSorted((a, b) => a.line - b.line)
      listed.push(...inOrder.slice(0, MAX_LISTED_LINES - listed.length))
    },
    current: (): FileImportReport => ({
      imported: counts.imported,
      duplicates: counts.duplicates,
      rejected: listed,
      ...(counts.rejected > listed.length && { rejected_not_listed: counts.rejected - listed.length }),
    }),
  }
}

type Request<Line> = Readonly<{
  body: ImportBody
  source: Source<Line>
  /** Time at which the caller stops waiting. */
  deadlineMs: number
}>
type Dependencies = Readonly<{ db: Db; clock: Pick<Clock, 'outsideMs'> }>

const storeFile = async <Line>(
  tx: Queryable,
  clock: Dependencies['clock'],
  { body, source, deadlineMs }: Request<Line>,
): Promise<FileImportReport> => {
  const report = createReport()
  await store.lockSource(tx, { source: source.name })
  for await (const { lines, rejected } of inBatches(source.read(await textOf(tx, body)))) {
    if (clock.outsideMs() > deadlineMs - RESERVE_MS)
      throw new NotDoneError('The import takes longer than the caller waits')
    const read = lines.map((each) => each.read)
    const { stored, differing } = read.length > 0 ? await source.store(tx, read) : NOTHING_STORED
    const others = lines
      .filter((each) => differing.has(source.idOf(each.read)))
      .map(({ line }) => ({ line, reason: source.differs }))
    report.add(stored, lines.length - stored - others.length, [...rejected, ...others])
  }
  await source.finish?.(tx)
  if ('file' in body) await store.deleteFile(tx, { blobKey: body.file.blob_key })
  return report.current()
}

const importWhole = async <Line>({ db, clock }: Dependencies, request: Request<Line>) => {
  const { body, source } = request
  try {
    return reply(await db.transaction((tx) => storeFile(tx, clock, request)))
  } catch (error) {
    if (!(error instanceof FileError) && !source.isFault(error)) throw error
    return refuse('invalid_request', [
      { field: typeOf(body), reason: 'invalid_value', expected: error.message },
    ])
  }
}

/**
 * Imports all lines of a file in one transaction, or none: matching never sees a part of a file, and an interrupted import
 * leaves nothing. A stored file is deleted with it; the purge deletes one that is refused.
 */
export const createImport = (dependencies: Dependencies) => {
  // Each takes up to 70 MiB of memory.
  const large = createBulkhead({ places: 1, maxWaiting: 4 })
  return <Line>(request: Request<Line>) => {
    const run = () => importWhole(dependencies, request)
    if (!('file' in request.body)) return run()
    return large.run(request.deadlineMs - dependencies.clock.outsideMs() - RESERVE_MS, run)
  }
}

export type ImportFile = ReturnType<typeof createImport>
