import { startLoop, type KeylessServiceContext, type Loop } from '@causeway/chassis'
import { signerRecord } from '../store.ts'

const INTERVAL_MS = 3_600_000

/**
 * Logs the head of the record's chain, at the start and every hour: a record that was truncated or rewritten since does
 * not contain it any more (`pnpm signer:verify --head`). Warns when the signer's database role could rewrite it.
 */
export const startRecordHead = ({ db, log }: Pick<KeylessServiceContext, 'db' | 'log'>): Loop =>
  startLoop({
    name: 'record-head',
    everyMs: INTERVAL_MS,
    restMs: 0,
    log,
    run: async () => {
      const { sequence, hash } = await signerRecord.getHead(db.pooled)
      log.info({ event: 'signer.record_head', sequence, hash }, 'Current head of the record')
      if (await signerRecord.isRewritable(db.pooled))
        log.warn(
          { event: 'signer.record_unprotected' },
          'The database role of this service can rewrite the record: run deploy/postgres/protect-signer-record.sql',
        )
    },
  })
