import chromium from '@sparticuz/chromium'
import { findProgram } from '@causeway/dev-env/infrastructure/program-path'

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]

/** Path of the browser: setting CHROMIUM_BIN, the first Chromium on PATH, or the one that a package brings for Linux on x64. */
export const BROWSER: string | null =
  process.env['CHROMIUM_BIN'] ??
  findProgram(NAMES, process.env['PATH'] ?? '') ??
  (process.platform === 'linux' && process.arch === 'x64' ? await chromium.executablePath() : null)

/** Suffix for titles of tests that cannot run without a browser. */
export const NO_BROWSER = 'skipped: no Chromium on PATH and CHROMIUM_BIN is not set'
