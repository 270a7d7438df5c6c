import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Tests that a path names an executable file. */
export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Finds the first program with one of these names in the folders of a search path; null without one. */
export const findProgram = (names: readonly string[], searchPath: string): string | null =>
  searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable) ?? null
