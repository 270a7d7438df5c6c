import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { NotDoneError } from '@causeway/chassis'
import { MAX_LOGO_BYTES, MAX_LOGO_SIDE, type ErrorDetail } from '@causeway/contracts'

export type LogoFormat = 'png' | 'jpeg' | 'webp'
/** The input of the worker. */
export type LogoJob = Readonly<{ bytes: Uint8Array; format: LogoFormat }>
/** The answer of the worker: the new image, or the reason of a refusal. */
export type LogoResult =
  Readonly<{ png: Uint8Array; width: number; height: number }> | 'unreadable' | 'too_big'

/** Only one logo is encoded at a time: each takes up to 2 s of CPU and 100 MiB. */
const MAX_IN_LINE = 8
/** Longest time in line, in milliseconds. */
const MAX_WAIT_MS = 10_000
const MAX_HEAP_MB = 64
/** Ends a decoder that does not come to an end, in milliseconds. */
const TIMEOUT_MS = 30_000
let inLine = 0
let previous: Promise<unknown> = Promise.resolve()

/** The format by the first bytes, as decoders recognise it; null for any other. */
const formatOf = (bytes: Buffer): LogoFormat | null => {
  const start = bytes.subarray(0, 12).toString('latin1')
  if (start.startsWith('\u0089PNG\r\n\u001a\n')) return 'png'
  if (start.startsWith('\u00ff\u00d8\u00ff')) return 'jpeg'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'webp' : null
}

/**
 * Runs the worker. The decoders are WebAssembly: a fault in them reaches neither this process's memory nor its secrets,
 * and a thread that does not end is terminated.
 */
const runWorker = (job: LogoJob): Promise<LogoResult> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./logo-worker.ts', import.meta.url), {
      workerData: job,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const timeout = setTimeout(() => {
      reject(new NotDoneError('The worker that encodes logos took too long'))
      void worker.terminate()
    }, TIMEOUT_MS)
    worker.once('message', (result: LogoResult) => {
      resolve(result)
      void worker.terminate()
    })
    worker.once('error', () => resolve('unreadable'))
    worker.once('exit', (code) => {
      clearTimeout(timeout)
      reject(new NotDoneError(`The worker that encodes logos exited with ${code}`))
    })
  })

/** Runs the worker once those before it have ended. */
const runInLine = async (job: LogoJob): Promise<LogoResult> => {
  if (inLine === MAX_IN_LINE) throw new NotDoneError('Other logos are being encoded')
  inLine += 1
  const before = previous
  const turn = Promise.withResolvers<null>()
  previous = turn.promise
  const since = performance.now()
  try {
    await before
    if (performance.now() - since > MAX_WAIT_MS) throw new NotDoneError('Other logos took too long')
    return await runWorker(job)
  } finally {
    inLine -= 1
    turn.resolve(null)
  }
}

const FAULTS = {
  unreadable: { reason: 'invalid_value', expected: 'an image that can be decoded to its end' },
  too_big: {
    reason: 'too_big',
    expected: `at most ${MAX_LOGO_SIDE.toLocaleString('en')} pixels on a side and 8 megapixels`,
  },
  unsupported: { reason: 'unsupported_type', expected: 'a PNG, JPEG or WebP image' },
  too_long: { reason: 'too_long', expected: `at most ${MAX_LOGO_BYTES / 1024} KiB` },
} as const

/** A logo as it is stored: a PNG without metadata, and its SHA-256. */
export type EncodedLogo = Readonly<{ png: Buffer; hash: string; width: number; height: number }>
type Encoded = Readonly<{ ok: true; logo: EncodedLogo }> | Readonly<{ ok: false; details: ErrorDetail[] }>

const refused = (fault: keyof typeof FAULTS): Encoded => ({
  ok: false,
  details: [{ field: 'content_base64', ...FAULTS[fault] }],
})

/**
 * Decodes an image and encodes it anew, so that nothing but its pixels is kept.
 * @throws NotDoneError if too many others wait, or if it takes too long
 */
export const encodeLogo = async (bytes: Buffer): Promise<Encoded> => {
  if (bytes.length > MAX_LOGO_BYTES) return refused('too_long')
  const format = formatOf(bytes)
  if (format === null) return refused('unsupported')
  const result = await runInLine({ bytes, format })
  if (typeof result === 'string') return refused(result)
  const png = Buffer.from(result.png)
  const hash = createHash('sha256').update(png).digest('hex')
  return { ok: true, logo: { png, hash, width: result.width, height: result.height } }
}
