import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')

/** Runs a program and gives what it printed. @throws Error with all of its output when it fails */
const run = async (folder: string, program: string, ...args: string[]): Promise<string> => {
  const running = promisify(execFile)(program, args, { cwd: folder })
  const { stdout } = await running.catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  })
  return stdout
}

export const PACKERS = ['npm', 'pnpm'] as const
export type Packer = (typeof PACKERS)[number]

/** The pnpm that runs the tests; without one, that of the registry. */
const pnpm = (): readonly [string, ...string[]] => {
  const path = process.env['npm_execpath'] ?? ''
  return /pnpm[^/]*$/.test(path) ? [path] : ['npx', '-y', 'pnpm@12']
}

/** Packs `packages/<name>` as its publication would. @returns the path of the tarball */
export const pack = async (name: string, packer: Packer, folder: string): Promise<string> => {
  const [program, ...first] = packer === 'npm' ? (['npm'] as const) : pnpm()
  mkdirSync(folder, { recursive: true })
  await run(join(ROOT, 'packages', name), program, ...first, 'pack', '--pack-destination', folder)
  const [tarball] = readdirSync(folder)
  if (tarball === undefined) throw new Error(`${packer} pack left no tarball`)
  return join(folder, tarball)
}

export const readTarball = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(path))

export const MODULE_SYSTEMS = ['module', 'commonjs'] as const
export type ModuleSystem = (typeof MODULE_SYSTEMS)[number]

/** Makes an empty project of a module system and installs tarballs there, without any registry. */
export const install = async (
  folder: string,
  type: ModuleSystem,
  tarballs: readonly string[],
): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', version: '1.0.0', type }))
  await run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', ...tarballs)
}

/** Installs a tarball into an empty project, and runs a command of it there. @returns what it printed */
export const runInProject = async (
  tarball: string,
  type: ModuleSystem,
  folder: string,
  command: readonly string[],
): Promise<string> => {
  await install(folder, type, [tarball])
  return run(folder, 'npx', '--no', '--', ...command)
}

/**
 * Installs a tarball into an empty project of a module system, without any registry; compiles a program there, the
 * package's own types checked too; runs it.
 * @param lib TypeScript's libraries of the platform, without the language's
 * @returns what the program printed
 */
export const useInProject = async (
  tarball: string,
  type: ModuleSystem,
  { folder, program, lib }: Readonly<{ folder: string; program: string; lib: readonly string[] }>,
): Promise<string> => {
  await install(folder, type, [tarball])
  writeFileSync(join(folder, 'program.ts'), program)
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022']
  await run(folder, process.execPath, TSC, ...options, '--lib', ['es2022', ...lib].join(), 'program.ts')
  return run(folder, process.execPath, 'program.js')
}
