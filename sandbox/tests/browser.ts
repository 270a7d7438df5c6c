import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const onPath = (): string | null => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable) ?? null
}

/** Where the browser of the tests is: setting CHROMIUM_BIN, or the first Chromium on PATH; null: there is none. */
export const BROWSER: string | null = process.env['CHROMIUM_BIN'] ?? onPath()

/** For titles of tests that cannot run without. */
export const NO_BROWSER =
  'skipped: no Chromium on PATH and CHROMIUM_BIN is not set (Debian: apt-get install chromium)'
