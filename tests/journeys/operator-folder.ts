import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { replaceAll } from './compose-platform.ts'

const run = promisify(execFile)
const CONFIGURATION = ['deploy', 'docker-compose.yml', '.env.example']

/** Checks whether a secret contains keys for requests on the bus. */
const isBusKeys = (name: string): boolean => name.endsWith('_bus_keys')

const contentOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))

type OperatorOptions = Readonly<{
  folder: string
  settings: Readonly<Record<string, string>>
  given: Readonly<Record<string, string>>
}>

/**
 * Creates an operator's folder for Compose: the configuration of a version, `.env` and the secrets.
 * @param options.folder empty
 * @param options.settings content of `.env`
 * @param options.given secrets that no script makes, by their file
 */
export const createOperatorFolder = ({ folder, settings, given }: OperatorOptions) => {
  const site = join(folder, 'site')
  const secrets = join(site, 'deploy', 'secrets')
  const secretsBefore = join(folder, 'secrets-before')
  const mounted = join(folder, 'mounted')
  const calls = join(folder, 'calls')
  const runningPermissions = join(folder, 'running.conf')
  mkdirSync(site)
  writeFileSync(
    join(site, '.env'),
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const docker = join(folder, 'docker')
  writeFileSync(docker, `#!/bin/sh\necho "$*" >> ${calls}\n[ "$2" != exec ] || cat ${runningPermissions}\n`)
  chmodSync(docker, 0o755)

  /** `git pull` of the configuration of a version. */
  const pull = (tree: string): void => {
    const filter = (from: string) => from !== resolve(tree, 'deploy', 'secrets')
    for (const name of CONFIGURATION)
      if (existsSync(join(tree, name)))
        cpSync(join(tree, name), join(site, name), { recursive: true, filter })
  }
  return {
    secrets,
    /** The secrets as containers have them. */
    mounted,
    /** The first installation. */
    install: async (tree: string): Promise<void> => {
      pull(tree)
      mkdirSync(secrets)
      for (const [name, text] of Object.entries(given)) writeFileSync(join(secrets, name), text)
      await run('sh', [join(site, 'deploy', 'make-secrets.sh')])
      cpSync(secrets, secretsBefore, { recursive: true })
      cpSync(join(site, 'deploy', 'nats.conf'), runningPermissions)
    },
    /** Gives the containers that start from now on the secrets as they are, with addresses of this machine. */
    mount: (addresses: Readonly<Record<string, string>>): void => {
      rmSync(mounted, { recursive: true, force: true })
      mkdirSync(mounted)
      for (const [name, text] of Object.entries(contentOf(secrets)))
        writeFileSync(join(mounted, name), replaceAll(text, addresses))
    },
    /**
     * `git pull && sh deploy/upgrade.sh`, up to what it has containers do.
     * @returns its calls of `docker`, without the question for the permissions that are in force; and names of changed secrets
     */
    upgrade: async (tree: string) => {
      const before = contentOf(secrets)
      pull(tree)
      writeFileSync(calls, '')
      await run('sh', [join(site, 'deploy', 'upgrade.sh')], {
        env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
      })
      cpSync(join(site, 'deploy', 'nats.conf'), runningPermissions)
      const changed = Object.entries(contentOf(secrets)).filter(([name, text]) => before[name] !== text)
      return {
        calls: readFileSync(calls, 'utf8').trim().split('\n').slice(1),
        changed: changed.map(([name]) => name),
      }
    },
    /** Gives the containers that start from now on keys of pairs that only a later version knows. */
    mountLaterKeys: (): void => {
      for (const name of readdirSync(mounted).filter(isBusKeys)) {
        const key = Buffer.from(name.padEnd(32)).toString('base64')
        const text = readFileSync(join(mounted, name), 'utf8').trimEnd()
        writeFileSync(join(mounted, name), `${text}\n${name.replace('_bus_keys', '')}>later=${key}\n`)
      }
    },
    /** Gives the containers that start from now on the keys of before the upgrade. */
    mountEarlierKeys: (): void => {
      for (const name of readdirSync(secretsBefore).filter(isBusKeys))
        writeFileSync(join(mounted, name), readFileSync(join(secretsBefore, name)))
    },
  }
}
