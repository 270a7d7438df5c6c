import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { SOURCE_ENVIRONMENT } from '@causeway/chassis/testing'
import type { CrashPoint } from './process/crash-points.ts'

const READY_WITHIN_MS = 240_000
const KEPT_LINES = 40
const at = (file: string) => join(import.meta.dirname, 'process', file)

type Message = Readonly<{ type: 'loaded' | 'ready' }> | Readonly<{ type: 'held'; point: CrashPoint }>

/** A service in a separate process. */
export type ServiceProcess = Readonly<{
  /** Starts serving. @param replicas instances of the service in the one process, which die together */
  start: (replicas?: number) => Promise<void>
  /** Arms crash points: the first call that reaches one is held there. */
  arm: (crashPoints: readonly CrashPoint[]) => void
  /** The crash points at which a call is held. */
  held: () => readonly CrashPoint[]
  /** Advances its clock, before its start too. */
  advance: (ms: number) => void
  /** SIGKILL; settles when the process is gone. */
  kill: () => Promise<void>
}>

/** @param instrumented file with the sources to run in place of those on disk; null: none */
export const loadService = (
  name: 'payments' | 'refunds',
  env: NodeJS.ProcessEnv,
  instrumented: string | null = null,
): ServiceProcess => {
  const preload = instrumented === null ? [] : ['--import', at('crash-points.ts')]
  const child: ChildProcess = spawn(process.execPath, [...preload, at('service.ts'), name], {
    env: { ...SOURCE_ENVIRONMENT, ...env, ...(instrumented !== null && { INSTRUMENTED: instrumented }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output.push(...chunk.toString().trimEnd().split('\n'))
      output.splice(0, output.length - KEPT_LINES)
    })
  const held: CrashPoint[] = []
  const loaded = Promise.withResolvers<undefined>()
  const ready = Promise.withResolvers<undefined>()
  for (const { promise } of [loaded, ready]) promise.catch(() => undefined)
  child.on('message', (message: Message) => {
    if (message.type === 'held') held.push(message.point)
    else (message.type === 'loaded' ? loaded : ready).resolve(undefined)
  })
  const exited = once(child, 'exit')
  void exited.then(() => {
    const error = new Error(`${name} has ended:\n${output.join('\n')}`)
    loaded.reject(error)
    ready.reject(error)
  })
  return {
    async start(replicas = 1) {
      const slow = AbortSignal.timeout(READY_WITHIN_MS)
      slow.addEventListener('abort', () => ready.reject(new Error(`${name} is not ready in time`)))
      await Promise.race([loaded.promise, ready.promise])
      child.send({ type: 'start', replicas })
      await ready.promise
    },
    arm: (crashPoints) => child.send({ type: 'arm', crashPoints }),
    held: () => held,
    advance(ms) {
      if (!child.connected) throw new Error(`${name} ended unexpectedly:\n${output.join('\n')}`)
      child.send({ type: 'advance', ms })
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
