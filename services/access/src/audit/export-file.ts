import { createChainVerifier, type Db, type Head, type Link, type Verification } from '@causeway/chassis'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { auditLog } from './store.ts'

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`
const FORMAT_LINE = lineOf({ format: 'causeway-audit-log/1' })

const linkLine = ({ sequence, hash, record }: Link): string => lineOf({ sequence, hash, record })
const headLine = ({ sequence, hash }: Head): string => lineOf({ head: { sequence, hash } })

/**
 * Exports the log, up to its end now: one line that names the format, one line per record, and one line with the head;
 * each is JSON.
 * @returns the head, to be kept elsewhere
 * @throws when the file exists
 */
export const exportLog = async (db: Db, path: string): Promise<Head> => {
  const head = await auditLog.getHead(db.pooled)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.appendFile(FORMAT_LINE)
    for await (const page of auditLog.pages(db, head.sequence))
      await file.appendFile(page.map(linkLine).join(''))
    await file.appendFile(headLine(head))
    await file.sync()
  } finally {
    await file.close()
  }
  return head
}

/** Lines with their line feeds; the last may lack one. @throws on bytes that are not UTF-8 */
const linesOf = async function* (path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const chunk of createReadStream(path)) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield `${line}\n`
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

type Line = Partial<Link> & Readonly<{ head?: Partial<Head> | null }>

const parse = (line: string): Line => {
  try {
    return (JSON.parse(line) ?? {}) as Line
  } catch {
    return {}
  }
}

/** The record of a line, if the line is byte for byte what the export writes for it. */
const linkIn = (line: string): Link | null => {
  const { sequence, hash, record } = parse(line)
  if (sequence === undefined || hash === undefined || record === undefined) return null
  return linkLine({ sequence, hash, record }) === line ? { sequence, hash, record } : null
}
/** The head of a line, under the same condition. */
const headIn = (line: string): Head | null => {
  const { sequence, hash } = parse(line).head ?? {}
  if (sequence === undefined || hash === undefined) return null
  return headLine({ sequence, hash }) === line ? { sequence, hash } : null
}

const verifyLines = async (
  lines: AsyncIterable<string>,
  chain: ReturnType<typeof createChainVerifier>,
): Promise<Verification> => {
  let number = 0
  let result: Verification | null = null
  const broken = (why: string): Verification => ({ ok: false, fault: `line ${number}: ${why}` })
  for await (const line of lines) {
    number += 1
    if (result !== null) return broken('something follows the head')
    if (number === 1) {
      if (line !== FORMAT_LINE) return broken('it does not name the format')
      continue
    }
    const link = linkIn(line)
    const head = link === null ? headIn(line) : null
    if (link !== null) {
      const fault = chain.check(link)
      if (fault !== null) return broken(fault)
    } else if (head !== null) {
      result = chain.end(head)
      if (!result.ok) return broken(result.fault)
    } else return broken('it is not in the format of an export')
  }
  return result ?? broken('the export ends before its head')
}

/** Verifies an export by its file alone. @param kept heads that were kept from earlier, which it must contain */
export const verifyExport = async (path: string, kept: readonly Head[]): Promise<Verification> => {
  try {
    return await verifyLines(linesOf(path), createChainVerifier(kept))
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return { ok: false, fault: 'the file is not UTF-8' }
    throw error
  }
}
