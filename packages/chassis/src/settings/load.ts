import { readFileSync } from 'node:fs'
import type { Setting, Settings, SettingsTable } from './declare.ts'
import { unknownSettings } from './unknown.ts'

/** A start-up fault: one line that names every bad setting. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const readText = (
  name: string,
  env: NodeJS.ProcessEnv,
  { emptyIsValue }: Pick<Setting<unknown>, 'emptyIsValue'>,
): string | undefined => {
  const [direct, file] = [env[name] ?? '', env[`${name}_FILE`] ?? '']
  if (direct !== '' && file !== '') throw new Error(`and ${name}_FILE are both set: unset one of them`)
  if (direct !== '') return direct
  if (file === '') return emptyIsValue ? env[name] : undefined
  // An empty file is an empty setting: a secret that a deployment has a place for and does not use now.
  return readFileSync(file, 'utf8').trim() || undefined
}

const readAll = <const T extends SettingsTable>(
  table: T,
  env: NodeJS.ProcessEnv,
  faults: string[],
): Settings<T> => {
  const values = Object.entries(table).map(([name, declared]) => {
    try {
      const text = readText(name, env, declared) ?? declared.default
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

/**
 * Reads every setting of a table; `NAME_FILE` names a file that holds the value. A variable that is nearly a
 * setting, or begins as only settings of the platform do, is refused: its author believes that it counts.
 * @throws ConfigError that names all missing and bad settings in one line, values of secrets left out
 */
export const loadSettings = <const T extends SettingsTable>(table: T, env: NodeJS.ProcessEnv): Settings<T> =>
  readAll(table, env, unknownSettings(env, Object.keys(table)))

/**
 * Reads settings whose files may have changed since {@link loadSettings}. The names of variables cannot have.
 * @throws ConfigError as loadSettings
 */
export const rereadSettings = <const T extends SettingsTable>(
  table: T,
  env: NodeJS.ProcessEnv,
): Settings<T> => readAll(table, env, [])
