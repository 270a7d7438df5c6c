import { readFileSync } from 'node:fs'
import type { Settings, SettingsTable } from './declare.ts'

/** A start-up fault: one line that names every bad setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const readText = (name: string, env: NodeJS.ProcessEnv): string | undefined => {
  const direct = env[name]
  if (direct !== undefined && direct !== '') return direct
  const file = env[`${name}_FILE`]
  if (file === undefined || file === '') return undefined
  // An empty file is an empty setting: a secret that a deployment has a place for and does not use now.
  return readFileSync(file, 'utf8').trim() || undefined
}

/**
 * Reads every setting of a table; `NAME_FILE` names a file that holds the value.
 * @throws ConfigError that names all missing and bad settings in one line, values of secrets left out
 */
export const loadSettings = <const T extends SettingsTable>(
  table: T,
  env: NodeJS.ProcessEnv,
): Settings<T> => {
  const faults: string[] = []
  const values = Object.entries(table).map(([name, declared]) => {
    try {
      const text = readText(name, env) ?? declared.default
      if (text !== undefined) return [name, declared.parse(text)]
      if (!declared.optional) faults.push(`${name} is not set`)
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
    }
    return [name, undefined]
  })
  if (faults.length > 0) throw new ConfigError(`Bad settings: ${faults.join('; ')}`)
  return Object.fromEntries(values) as Settings<T>
}
