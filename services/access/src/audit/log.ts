import { createChainVerifier, type Db, type Head, type Verification } from '@causeway/chassis'
import { getHead, listLinks } from './store.ts'
import { writeExport } from './export-file.ts'

const PAGE = 500

const pagesOf = async function* (db: Db, until: number) {
  for (let after = 0; after < until;) {
    const page = await listLinks(db.pooled, { afterSequence: after, limit: Math.min(PAGE, until - after) })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.sequence
  }
}

const fieldsOf = (record: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(record) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Verifies the log in the database, up to its end now. @param kept heads that were kept from earlier, which it must contain */
export const verifyLog = async (db: Db, kept: readonly Head[]): Promise<Verification> => {
  const { sequence, hash, newest } = await getHead(db.pooled)
  if (newest !== sequence)
    return { ok: false, fault: `the newest record is ${newest}, the head says ${sequence}` }
  const verifier = createChainVerifier(kept)
  for await (const page of pagesOf(db, sequence))
    for (const link of page) {
      const fault = verifier.check(link)
      if (fault !== null) return { ok: false, fault }
      const record = fieldsOf(link.record)
      if (record['request_id'] !== link.requestId || record['kind'] !== link.kind)
        return { ok: false, fault: `record ${link.sequence} is filed under another request` }
    }
  return verifier.end({ sequence, hash })
}

/** Exports the log, up to its end now, to a new file. @returns the head, to be kept elsewhere */
export const exportLog = async (db: Db, path: string): Promise<Head> => {
  const { sequence, hash } = await getHead(db.pooled)
  await writeExport(path, pagesOf(db, sequence), { sequence, hash })
  return { sequence, hash }
}
