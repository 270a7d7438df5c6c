import { implement, reply, type Db, type Implementation } from '@causeway/chassis'
import { importFiles } from '@causeway/contracts'
import { insertPart } from './store.ts'

/** `ledger.import-files` (decisions §51). */
export const importFileOperations = (db: Db): Implementation[] =>
  implement(importFiles, {
    async addPart({ body, now }) {
      const sealed = Buffer.from(body.content_base64, 'base64')
      await insertPart(db, { blobKey: body.blob_key, part: body.part, sealed, now })
      return reply({})
    },
  })
