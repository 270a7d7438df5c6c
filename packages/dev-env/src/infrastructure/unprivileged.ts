import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The user `nobody`. */
const NOBODY = 65_534
const OTHERS_MAY_ENTER = 0o001

export type Launch = {
  command: string
  args: readonly string[]
  identity?: { uid: number; gid: number }
}

export type Unprivileged = {
  /** Gives a file or folder to this user. */
  own: (path: string) => void
  /** How to start a command as this user. */
  launch: (command: string, args: readonly string[]) => Launch
}

const mayEnter = (folder: string, uid: number): boolean => {
  const { mode, uid: owner } = statSync(folder)
  const entered = owner === uid || (mode & OTHERS_MAY_ENTER) !== 0
  return entered && (folder === dirname(folder) || mayEnter(dirname(folder), uid))
}

const hasSetpriv = (): boolean => {
  try {
    execFileSync('setpriv', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The secure bit makes access(2) honour the capability too: initdb uses it to look for its binaries. */
const PASS_CLOSED_FOLDERS = [
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=-all,+dac_override',
  '--securebits=+no_setuid_fixup',
]

/**
 * The user that PostgreSQL runs as: this process's own, or an unprivileged one when this process is root, because
 * PostgreSQL refuses to run as root.
 *
 * @param home folder whose owner is kept if it exists already
 * @param paths what the user must be able to reach. If it may not enter a folder on the way, such as `/root`, it keeps
 * one capability, which lets it do so.
 */
export const unprivilegedUser = (home: string, paths: readonly string[]): Unprivileged => {
  if (process.getuid?.() !== 0)
    return { own: () => undefined, launch: (command, args) => ({ command, args }) }
  const owner = existsSync(home) ? statSync(home) : { uid: 0, gid: 0 }
  const identity = owner.uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid: owner.uid, gid: owner.gid }
  const own = (path: string) => chownSync(path, identity.uid, identity.gid)
  const closed = paths.filter((path) => !mayEnter(dirname(path), identity.uid))
  if (closed.length === 0) return { own, launch: (command, args) => ({ command, args, identity }) }
  if (!hasSetpriv()) {
    throw new Error(
      `PostgreSQL does not run as root, and user ${identity.uid} may not enter ${closed.join(', ')}: ` +
        'open these folders to others (chmod o+x), or install util-linux (setpriv)',
    )
  }
  const become = [
    `--reuid=${identity.uid}`,
    `--regid=${identity.gid}`,
    '--clear-groups',
    ...PASS_CLOSED_FOLDERS,
  ]
  return {
    own,
    launch: (command, args) => ({ command: 'setpriv', args: [...become, '--', command, ...args] }),
  }
}
