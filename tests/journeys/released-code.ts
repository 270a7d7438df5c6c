import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { LAST_VERSION } from '../../scripts/releases/last-release.ts'

const git = (...args: string[]): string =>
  execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()

/** Null where git has no such thing, or this is no clone. */
const gitIfKnown = (...args: string[]): string | null => {
  try {
    return git(...args)
  } catch {
    return null
  }
}

/**
 * The commit of the last release: that of its tag, or the last one that changed what integrators were given.
 * @returns as `missing` what to do where this clone does not have it
 */
export const findLastRelease = (): Readonly<{ version: string; commit: string } | { missing: string }> => {
  const version = LAST_VERSION
  const tagged = gitIfKnown('rev-parse', '--verify', '--quiet', `v${version}^{commit}`)
  if (tagged !== null) return { version, commit: tagged }
  const isShallow = gitIfKnown('rev-parse', '--is-shallow-repository')
  if (isShallow === null) return { missing: 'this is not a clone: run it in one with the whole history' }
  if (isShallow === 'true') return { missing: 'this clone is shallow: git fetch --unshallow --tags' }
  return { version, commit: git('log', '-1', '--format=%H', '--', `releases/${version}`) }
}

/** Writes the code of a commit into a folder, and installs its production dependencies. */
export const checkOut = (commit: string, folder: string): void => {
  execFileSync('sh', ['-c', 'git archive --format=tar "$0" | tar -x -C "$1"', commit, folder])
  const install = [
    'install',
    '--prod',
    '--no-optional',
    '--frozen-lockfile',
    '--prefer-offline',
    '--ignore-scripts',
  ]
  execFileSync('npx', ['-y', 'pnpm@12', ...install], {
    cwd: folder,
    env: { ...process.env, CI: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** The tree of this version. */
export const THIS_VERSION = join(import.meta.dirname, '..', '..')
