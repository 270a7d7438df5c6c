import { Worker } from 'node:worker_threads'
import type { Statement } from '@causeway/contracts'

/** A statement to lay out on paper. */
export type PrintedStatement = Readonly<{
  month: string
  merchantId: string
  /** The brand of the pages, for the top of the first page. */
  brand: Readonly<{ name: string | null; logoBase64: string | null }>
  units: Statement['units']
}>

/** Each takes up to 2 s of CPU for 5,000 lines. */
const MAX_RUNNING = 2
const MAX_HEAP_MB = 256
let running = 0

const runWorker = (statement: PrintedStatement): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./statement-pdf-worker.ts', import.meta.url), {
      workerData: statement,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => {
      reject(new Error(`The worker that lays out statements exited with ${code}`))
    })
  })

/**
 * Lays a statement out as a PDF, in a separate thread because it would block the event loop.
 * @returns null while two others are being laid out
 */
export const makeStatementPdf = async (statement: PrintedStatement): Promise<Uint8Array | null> => {
  if (running === MAX_RUNNING) return null
  running += 1
  try {
    return await runWorker(statement)
  } finally {
    running -= 1
  }
}
