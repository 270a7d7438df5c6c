import { chownSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'

/** Not copied: what belongs to the running server, and the log, which the standby fetches from the primary. */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'standby.signal'])

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

type Owner = Readonly<{ uid: number; gid: number }>

/** The server may remove a file at any moment; what the copy lacks is in the log. */
const copyTree = async (
  from: string,
  to: string,
  owner: Owner,
  leftOut: ReadonlySet<string>,
): Promise<void> => {
  mkdirSync(to, { mode: 0o700 })
  chownSync(to, owner.uid, owner.gid)
  for (const name of readdirSync(from).filter((entry) => !leftOut.has(entry))) {
    const [source, target] = [join(from, name), join(to, name)]
    try {
      if (lstatSync(source).isDirectory()) await copyTree(source, target, owner, new Set())
      else {
        await copyFile(source, target)
        chownSync(target, owner.uid, owner.gid)
      }
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }
}

/**
 * Copies the cluster of a running server (PostgreSQL, Continuous Archiving, low-level API) into another folder, whose
 * content is replaced: a base backup. A server that starts there has to follow the first one, or to recover from an
 * archive of its log: the copy contains no log.
 */
export const copyPostgres = async (
  options: Readonly<{ adminUrl: string; from: string; to: string }>,
): Promise<void> => {
  const { adminUrl, from, to } = options
  const owner = statSync(from)
  const admin = new Client({ connectionString: adminUrl })
  // What cuts the connection also fails the statement under way; an unhandled event would end the process.
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    await admin.query("SELECT pg_backup_start('standby', true)")
    rmSync(to, { recursive: true, force: true })
    await copyTree(from, to, owner, LEFT_OUT)
    for (const folder of ['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'pg_replslot']) {
      mkdirSync(join(to, folder), { mode: 0o700 })
      chownSync(join(to, folder), owner.uid, owner.gid)
    }
    const { rows } = await admin.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    const label = join(to, 'backup_label')
    writeFileSync(label, rows[0]?.labelfile ?? '', { mode: 0o600 })
    chownSync(label, owner.uid, owner.gid)
  } finally {
    await admin.end()
  }
}
