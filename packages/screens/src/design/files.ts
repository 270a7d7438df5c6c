import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A file that pages load from `FILES_PATH`. */
export type ScreenFile = Readonly<{ name: string; type: string; read: () => Promise<Buffer> }>

const JAVASCRIPT = 'text/javascript; charset=utf-8'

const script = (name: string): ScreenFile => ({
  name,
  type: JAVASCRIPT,
  read: () => readFile(fileURLToPath(new URL(`./browser/${name}`, import.meta.url))),
})

/** A file of a library. @param locate returns the file's URL on this machine */
const ofLibrary = (name: string, locate: () => string): ScreenFile => ({
  name,
  type: JAVASCRIPT,
  read: () => readFile(fileURLToPath(locate())),
})

/** Files of the PDF renderer: the main module, its worker, and decoders that it loads on demand. */
const PDF_PARTS = [
  ofLibrary('pdf.js', () => import.meta.resolve('pdfjs-dist/build/pdf.min.mjs')),
  ofLibrary('pdf-worker.js', () => import.meta.resolve('pdfjs-dist/build/pdf.worker.min.mjs')),
  ofLibrary('jbig2_nowasm_fallback.js', () =>
    import.meta.resolve('pdfjs-dist/wasm/jbig2_nowasm_fallback.js'),
  ),
  ofLibrary('openjpeg_nowasm_fallback.js', () =>
    import.meta.resolve('pdfjs-dist/wasm/openjpeg_nowasm_fallback.js'),
  ),
]

/** All files that pages may load. */
export const SCREEN_FILES: readonly ScreenFile[] = [
  {
    name: 'style.css',
    type: 'text/css; charset=utf-8',
    read: () => readFile(fileURLToPath(new URL('./style.css', import.meta.url))),
  },
  script('screens.js'),
  script('local-time.js'),
  script('live-part.js'),
  script('payment-page.js'),
  script('pdf-viewer.js'),
  ...PDF_PARTS,
  script('onboarding.js'),
  {
    name: 'htmx.js',
    type: JAVASCRIPT,
    read: () => readFile(fileURLToPath(import.meta.resolve('htmx.org/dist/htmx.min.js'))),
  },
]

/** Content security policy of every page: same-origin files only, no inline script or style, no framing. */
export const SCREEN_POLICY: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
}
