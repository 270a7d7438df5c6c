import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for one benchmark's data; PostgreSQL's unprivileged user may pass through it. */
export const createFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'causeway-bench-'))
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
