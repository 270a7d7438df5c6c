import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { ImportReport } from '../payments/chargebacks.ts'

/** Largest file of an import (decisions §51). */
export const MAX_IMPORT_BYTES = 16 * 1024 * 1024
/** Encrypted bytes that one message holds at most. */
export const IMPORT_PART_BYTES = 384 * 1024
/** Time in milliseconds beyond the usual deadline that an import may take: proxies wait 60 s for an answer. */
export const IMPORT_WAIT_MS = 45_000

/** A part may hold a single encrypted chunk, of 64 KiB. */
const MAX_PARTS = 256
const blobKey = z.string().regex(/^[0-9a-f]{32}$/)

/**
 * A file above 256 KiB, which no message of the bus holds: where its encrypted bytes are stored, and their key (32 bytes in
 * base64url), which is stored nowhere.
 */
const storedAs = <const T extends readonly [string, ...string[]]>(types: T) =>
  z.strictObject({
    file: z.strictObject({
      type: z.enum(types),
      blob_key: blobKey,
      blob_secret: z.string().regex(/^[\w-]{43}$/),
    }),
  })
export const StoredCsv = storedAs(['csv'])
export const StoredCsvOrXml = storedAs(['csv', 'xml'])

/** Rejected lines that the report of an import lists; it counts the others. */
export const MAX_LISTED_LINES = 4_000

/** The result of an import of a file that may be large. */
export const FileImportReport = ImportReport.extend({
  rejected_not_listed: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({
      description: `Number of rejected lines beyond the ${MAX_LISTED_LINES.toLocaleString('en')} in \`rejected\`; absent if there are none`,
    }),
})
export type FileImportReport = z.infer<typeof FileImportReport>

/** `ledger.import-files`: files above 256 KiB, encrypted, until they are imported (decisions §51). */
export const importFiles = resource('ledger.import-files', {
  addPart: operation({
    summary: 'Store the next part of a file that is to be imported',
    caller: 'operator',
    body: z.strictObject({
      blob_key: blobKey,
      part: z.number().int().min(0).max(MAX_PARTS),
      content_base64: z.base64().max(Math.ceil(IMPORT_PART_BYTES / 3) * 4),
    }),
    reply: z.object({}),
  }),
})
