import { findProgram } from '../../scripts/infrastructure/program-path.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Where the browser of the tests is: setting CHROMIUM_BIN, or the first Chromium on PATH; null: there is none. */
export const BROWSER: string | null =
  process.env['CHROMIUM_BIN'] ?? findProgram(NAMES, process.env['PATH'] ?? '')

/** For titles of tests that cannot run without. */
export const NO_BROWSER =
  'skipped: no Chromium on PATH and CHROMIUM_BIN is not set (Debian: apt-get install chromium)'
