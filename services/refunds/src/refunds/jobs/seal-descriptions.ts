import { startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { sealDescription } from '../descriptions.ts'
import { listUnsealedDescriptions, storeSealedDescriptions } from '../store.ts'

const BATCH = 200
const EVERY_MS = 3_600_000

/**
 * Seals descriptions that a former version stored in plain text. Those of refunds in progress are skipped: a replica of
 * that version may have to send a refund again with the same description.
 */
export const startSealDescriptions = ({ db, log, vault }: ServiceContext): Loop =>
  startLoop({
    name: 'description-sealing',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async () => {
      const plain = await listUnsealedDescriptions(db, { limit: BATCH })
      const ids = plain.map(({ id }) => id)
      const sealed = plain.map(({ id, description }) => sealDescription(vault, id, description))
      if (ids.length > 0) await storeSealedDescriptions(db, { ids, sealed })
      return plain.length === BATCH
    },
  })
