import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { credentialError } from '../cli-error.ts'

/** A platform and who one is there. */
export type Profile = Readonly<{
  baseUrl: string
  sandboxUrl?: string
  partner?: Readonly<{ clientId: string; clientSecret: string; partnerId: string }>
  merchant?: Readonly<{ apiKey: string }>
  staff?: Readonly<{ staffKey: string }>
}>
export type Profiles = Readonly<Record<string, Profile>>

const READABLE_BY_OTHERS = 0o077

const readText = (path: string): string | null => {
  try {
    // Windows has no such bits; there the folder of the user is the user's alone.
    if (process.platform !== 'win32' && (statSync(path).mode & READABLE_BY_OTHERS) !== 0)
      throw credentialError(`${path} can be read by others: run chmod 600 ${path}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The stored profiles by name. @throws CliError when others can read the file, or it is broken */
export const readProfiles = (path: string): Profiles => {
  const text = readText(path)
  if (text === null) return {}
  try {
    return (JSON.parse(text) as { profiles: Profiles }).profiles
  } catch {
    throw credentialError(`${path} is not JSON: remove it and run causeway login`)
  }
}

/** Replaces the file, which its owner alone can read. */
export const writeProfiles = (path: string, profiles: Profiles): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const written = `${path}.${process.pid}`
  writeFileSync(written, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600 })
  chmodSync(written, 0o600)
  renameSync(written, path)
}
