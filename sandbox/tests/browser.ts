import { findProgram } from '../../scripts/infrastructure/program-path.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Path of the browser: setting CHROMIUM_BIN, or the first Chromium on PATH; null: none is installed. */
export const BROWSER: string | null =
  process.env['CHROMIUM_BIN'] ?? findProgram(NAMES, process.env['PATH'] ?? '')

/** Suffix for titles of tests that cannot run without a browser. */
export const NO_BROWSER =
  'skipped: no Chromium on PATH and CHROMIUM_BIN is not set (Debian: apt-get install chromium)'
