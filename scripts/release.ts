/**
 * `pnpm release 1.2.3 [--dry-run]`: makes a release of what is committed. Sets the version of every package, turns
 * “Unreleased” of CHANGELOG.md and the changesets into the section of the version, keeps what integrators are given (scripts/releases), and
 * makes a commit and an annotated tag. It never pushes.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepRelease } from './releases/keep-release.ts'
import { addChangesets, notesOf, releaseChanges, versionFault } from './releases/changelog.ts'
import { LAST_VERSION } from './releases/last-release.ts'

const root = join(import.meta.dirname, '..')
const CHANGELOG = join(root, 'CHANGELOG.md')
const CHANGESETS = join(root, '.changeset')

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** @throws Error that says why there can be no such release here */
const checkRelease = (version: string): void => {
  const fault = versionFault(version, LAST_VERSION)
  if (fault !== null) throw new Error(fault)
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`There is a tag v${version} already`)
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new Error(`There are changes that are not committed:\n${changed}`)
}

const replaceIn = (file: string, change: (text: string) => string): void => {
  const path = join(root, file)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

/** The manifests of all packages. */
const manifests = (): string[] => git('ls-files', 'package.json', '*/package.json').split('\n')

const withVersion = (text: string, version: string): string =>
  text.replace(/^( {2}"version": )"[^"]+"/m, `$1"${version}"`)

/** @throws Error where the lockfile does not fit the manifests */
const setVersions = (version: string): void => {
  for (const file of manifests()) replaceIn(file, (text) => withVersion(text, version))
  execFileSync('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--lockfile-only'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Returns the names of the changesets' files. */
const changesetFiles = (): string[] =>
  readdirSync(CHANGESETS)
    .filter((name) => name !== 'README.md')
    .sort()

/** @throws Error that names the changeset with a fault */
const readChangelog = (): string =>
  addChangesets(
    readFileSync(CHANGELOG, 'utf8'),
    Object.fromEntries(changesetFiles().map((name) => [name, readFileSync(join(CHANGESETS, name), 'utf8')])),
  )

const release = async (version: string, isDryRun: boolean): Promise<void> => {
  checkRelease(version)
  const date = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const changelog = releaseChanges(readChangelog(), version, date)
  if (isDryRun) {
    console.log(`${LAST_VERSION} would be followed by ${version}, in ${manifests().length} packages:\n`)
    console.log(notesOf(changelog, version))
    return
  }
  writeFileSync(CHANGELOG, changelog)
  for (const name of changesetFiles()) rmSync(join(CHANGESETS, name))
  setVersions(version)
  await keepRelease(version)
  git('add', '--all')
  git('commit', '--quiet', '--message', `release: ${version}`)
  git('tag', '--annotate', '--message', `Causeway ${version}`, `v${version}`)
  console.log(`The commit and the tag v${version} are made. To publish: git push origin HEAD v${version}`)
}

const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean' } },
  allowPositionals: true,
})
const [version = ''] = positionals
try {
  await release(version, values['dry-run'] === true)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
