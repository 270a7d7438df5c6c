import { createChainVerifier, type Db, type Head, type Verification } from '@causeway/chassis'
import { getHead, listLinks } from './store.ts'

const PAGE = 500

/** Verifies the record, up to its end now. @param kept heads that were kept from earlier, which it must contain */
export const verifyRecord = async (db: Db, kept: readonly Head[]): Promise<Verification> => {
  const { sequence, hash, newest } = await getHead(db.pooled)
  if (newest !== sequence)
    return { ok: false, fault: `the newest record is ${newest}, but the head names ${sequence}` }
  const verifier = createChainVerifier(kept)
  for (let after = 0; after < sequence;) {
    const page = await listLinks(db.pooled, { afterSequence: after, limit: Math.min(PAGE, sequence - after) })
    const last = page.at(-1)
    if (last === undefined) break
    for (const link of page) {
      const fault = verifier.check(link)
      if (fault !== null) return { ok: false, fault }
      const { kind, subject } = JSON.parse(link.record) as Readonly<Record<string, unknown>>
      if (kind !== link.kind || subject !== link.subject)
        return { ok: false, fault: `record ${link.sequence} is stored under another subject` }
    }
    after = last.sequence
  }
  return verifier.end({ sequence, hash })
}
