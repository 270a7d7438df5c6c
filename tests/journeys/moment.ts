import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { eventually } from '@causeway/chassis/testing'
import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'

/** The settings of PostgreSQL that OPERATIONS gives, with the archive's folder in place of /backup/wal. */
const documented = (first: string, folder: string): string => {
  const page = readFileSync('docs/OPERATIONS.md', 'utf8')
  const block = page.match(/```ini\n[^`]+```/g)?.find((each) => each.includes(`\n${first} =`))
  if (block === undefined) throw new Error(`docs/OPERATIONS.md has no settings that begin with ${first}`)
  return block.replaceAll(/```(?:ini)?\n?/g, '').replaceAll('/backup/wal', folder)
}

const own = (path: string, like: string): void => {
  const { uid, gid } = statSync(like)
  chownSync(path, uid, gid)
}

/** Sets up the archive of the log in `archive`, as documented; the server has to be restarted. */
export const setUpArchive = (data: string, archive: string): void => {
  mkdirSync(archive)
  chmodSync(archive, 0o700)
  own(archive, data)
  appendFileSync(join(data, 'postgresql.auto.conf'), `${documented('archive_mode', archive)}\n`)
}

const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Archives the log up to now, which otherwise happens within archive_timeout. */
export const archiveLog = (adminUrl: string): Promise<void> =>
  withClient(adminUrl, async (client) => {
    const last = await client.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name')
    const name = last.rows[0]?.name ?? ''
    await eventually(async () => {
      const { rows } = await client.query<{ name: string | null }>(
        'SELECT last_archived_wal AS name FROM pg_stat_archiver',
      )
      return (rows[0]?.name ?? '') >= name
    })
  })

type Restored = Readonly<{
  base: string
  archive: string
  data: string
  password: string
  until: Date | null
}>

/**
 * Restores a base backup and its log into `data`, and stops the server again.
 *
 * @param until the moment; null: the end of the archive
 */
export const restoreDatabases = async ({ base, archive, data, password, until }: Restored): Promise<void> => {
  execFileSync('cp', ['-a', base, data])
  const settings = documented('restore_command', archive).replace(
    /^recovery_target_time = .*$/m,
    // PostgreSQL knows no name of a zone yet when it reads this.
    until === null
      ? ''
      : `recovery_target_time = '${until.toISOString().replace('T', ' ').replace('Z', '+00')}'`,
  )
  const file = join(data, 'postgresql.auto.conf')
  // What the running server had set would archive the restored one's log among the other's.
  const kept = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('archive_'))
  writeFileSync(file, `${kept.join('\n')}\n${settings}\n`)
  writeFileSync(join(data, 'recovery.signal'), '')
  own(join(data, 'recovery.signal'), data)
  const server = await startPostgres({ folder: data, password, logFile: `${data}.restore.log` })
  try {
    await eventually(() =>
      withClient(server.adminUrl, async (client) => {
        const { rows } = await client.query<{ recovering: boolean }>(
          'SELECT pg_is_in_recovery() AS recovering',
        )
        return rows[0]?.recovering === false
      }),
    )
  } finally {
    await server.stop()
  }
}
