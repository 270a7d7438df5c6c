import { basename } from 'node:path'
import { commandOf, parentOf } from './process-identity.ts'

const LAUNCHERS = /\b(npm|npx|pnpm|yarn)\b/
const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'ash']
const POLL_MS = 1_000

type Link = { child: number; parent: number }

const isShell = (command: string): boolean => SHELLS.includes(basename(command.split(' ')[0] ?? ''))
const isLauncher = (command: string): boolean => !isShell(command) && LAUNCHERS.test(command)

/**
 * The chain from a process up to the outermost `npx` or `pnpm` that launched it, with the shells between them. The
 * shell or script that called the outermost one is not included: it may end while the platform keeps running.
 */
export const launcherChain = (
  pid: number,
  look: { parentOf: (pid: number) => number | null; commandOf: (pid: number) => string | null },
): Link[] => {
  const links: Link[] = []
  let outermost = 0
  for (let child = pid; ;) {
    const parent = look.parentOf(child)
    const command = parent === null || parent <= 1 ? null : look.commandOf(parent)
    if (parent === null || command === null || !(isShell(command) || isLauncher(command))) break
    links.push({ child, parent })
    if (isLauncher(command)) outermost = links.length
    child = parent
  }
  return links.slice(0, outermost)
}

/**
 * Calls back once when one of the launchers above this process has ended. `npx` does not forward SIGTERM, so stopping
 * with it requires watching it.
 */
export const onLauncherGone = (listener: () => void): void => {
  const chain = launcherChain(process.pid, { parentOf, commandOf })
  const timer = setInterval(() => {
    if (chain.every(({ child, parent }) => parentOf(child) === parent)) return
    clearInterval(timer)
    listener()
  }, POLL_MS)
  timer.unref()
}
