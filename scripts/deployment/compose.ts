import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

/** A container as docker-compose.yml describes it, as far as this repository reads it. */
export type Container = Readonly<{
  image: string
  command?: readonly string[]
  user?: string
  /** Null: passed through from `.env`, or left out. */
  environment?: Readonly<Record<string, string | null>>
  secrets?: readonly string[]
  networks?: readonly string[]
  ports?: readonly string[]
  volumes?: readonly string[]
  /** Such as `512m`. */
  mem_limit?: string
  cpus?: number
  stop_grace_period?: string
}>

export type ComposeFile = Readonly<{
  services: Readonly<Record<string, Partial<Container>>>
  networks: Readonly<Record<string, Readonly<{ internal?: boolean }>>>
  secrets: Readonly<Record<string, Readonly<{ file: string }>>>
}>

const root = join(import.meta.dirname, '..', '..')
export const PRODUCTION = 'docker-compose.yml'
export const SANDBOX_OVERLAY = 'docker-compose.sandbox.yml'
export const BACKUP_OVERLAY = 'docker-compose.backup.yml'

/** The text of a compose file of this repository, or of another checkout where `file` is an absolute path. */
export const composeText = (file: string): string => readFileSync(resolve(root, file), 'utf8')

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, the forms that the files use. */
const VARIABLE = /\$\{([A-Z0-9_]+)(?::(-|\?)([^}]*))?\}/g

/** Names of the variables that a file's text interpolates. */
const interpolated = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name)),
]

/**
 * Replaces the variables of a value as Compose does: one that is empty counts as missing.
 * @throws Error with the message of a `${NAME:?message}` that is missing
 */
const interpolate = (text: string, env: Readonly<Record<string, string>>): string =>
  text.replace(VARIABLE, (_whole, name: string, form?: string, rest?: string) => {
    const value = env[name] ?? ''
    if (value !== '' || form === undefined) return value
    if (form === '?') throw new Error(`${name}: ${rest ?? ''}`)
    return rest ?? ''
  })

const readFile = (file: string, env: Readonly<Record<string, string>>): Partial<ComposeFile> =>
  parse(
    composeText(file),
    (_key, value: unknown): unknown => (typeof value === 'string' ? interpolate(value, env) : value),
    { merge: true },
  ) as Partial<ComposeFile>

const mergeContainers = (base: Partial<Container> = {}, over: Partial<Container>): Partial<Container> => ({
  ...base,
  ...over,
  environment: { ...base.environment, ...over.environment },
  secrets: [...(base.secrets ?? []), ...(over.secrets ?? [])],
  networks: [...(base.networks ?? []), ...(over.networks ?? [])],
  ports: [...(base.ports ?? []), ...(over.ports ?? [])],
})

/**
 * Reads compose files, the later ones laid over the earlier ones: settings by name, lists appended.
 * @param env variables of `.env`
 */
export const readCompose = (files: readonly string[], env: Readonly<Record<string, string>>): ComposeFile =>
  files
    .map((file) => readFile(file, env))
    .reduce<ComposeFile>(
      (merged, file) => ({
        services: {
          ...merged.services,
          ...Object.fromEntries(
            Object.entries(file.services ?? {}).map(([name, container]) => [
              name,
              mergeContainers(merged.services[name], container),
            ]),
          ),
        },
        networks: { ...merged.networks, ...file.networks },
        secrets: { ...merged.secrets, ...file.secrets },
      }),
      { services: {}, networks: {}, secrets: {} },
    )

/** The environment of a container: what it sets, and what `.env` gives for what it passes through. */
export const environmentIn = (
  container: Partial<Container>,
  env: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(container.environment ?? {}).flatMap(([name, value]) => {
      const set = value ?? env[name]
      return set === undefined ? [] : [[name, set]]
    }),
  )

/** Names of all variables that an operator may set in `.env`. */
export const operatorVariables = (
  files: readonly string[] = [PRODUCTION, SANDBOX_OVERLAY, BACKUP_OVERLAY],
): string[] => {
  const passed = files
    .flatMap((file) => Object.values(readFile(file, { PUBLIC_BASE_URL: 'https://localhost' }).services ?? {}))
    .flatMap(({ environment = {} }) => Object.entries(environment))
    .flatMap(([name, value]) => (value === null ? [name] : []))
  return [...new Set([...files.map(composeText).flatMap(interpolated), ...passed])].sort()
}
