import { SERVICES } from '@causeway/contracts'
import { PRODUCTION, readCompose } from '../../scripts/deployment/compose.ts'

export const PROCESSES = [...SERVICES, 'gateway'] as const
export type ProcessName = (typeof PROCESSES)[number]

/** Settings and resources of a process. docker-compose.yml is the one source, so that both deployments give it the same. */
export type Process = Readonly<{
  name: ProcessName
  args: readonly string[]
  /** Null: the operator's, from the ConfigMap. */
  environment: Readonly<Record<string, string | null>>
  /** Files under /run/secrets. */
  secrets: readonly string[]
  memoryMib: number
  cpus: number
}>

/** PUBLIC_BASE_URL is the operator's here too: this placeholder reaches no process. */
const compose = readCompose([PRODUCTION], { PUBLIC_BASE_URL: 'https://causeway.example' })

/** @throws Error when docker-compose.yml leaves something out that a process has */
export const processOf = (name: ProcessName): Process => {
  const { command, environment, secrets, mem_limit, cpus } = compose.services[name] ?? {}
  const [, mib] = /^(\d+)m$/.exec(mem_limit ?? '') ?? []
  if (!command || !environment || !secrets || cpus === undefined || mib === undefined)
    throw new Error(`${name} is not complete in ${PRODUCTION}`)
  return { name, args: command, environment, secrets, memoryMib: Number(mib), cpus }
}
