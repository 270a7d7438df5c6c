import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { LAST_VERSION } from '../../scripts/releases/last-release.ts'

const VERSION = '987.6.5'
const clone = mkdtempSync(join(tmpdir(), 'causeway-release-'))
const env = {
  ...process.env,
  CI: 'true',
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, 'Releaser'],
      [`GIT_${role}_EMAIL`, 'releaser@example.com'],
    ]),
  ),
}
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, {
    cwd: clone,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()
const git = (...args: string[]) => run('git', ...args)
const release = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/release.ts', ...args], { cwd: clone, env, encoding: 'utf8' })
const read = (file: string) => readFileSync(join(clone, file), 'utf8')
const manifest = (file: string) => JSON.parse(read(file)) as { version: string }

const FOLDERS = ['.', 'sandbox', 'bench', 'examples', 'tests']
const packagesIn = (folder: string) => readdirSync(folder).map((name) => join(folder, name))

/** The files as they are here, committed in a repository with the packages that are installed here. */
beforeAll(() => {
  const list = (...kinds: string[]) =>
    execFileSync('git', ['ls-files', ...kinds], { encoding: 'utf8' }).split('\n')
  const deleted = new Set(list('--deleted'))
  for (const file of list('--cached', '--others', '--exclude-standard').filter((each) => each !== ''))
    if (!deleted.has(file)) cpSync(file, join(clone, file), { verbatimSymlinks: true })
  for (const folder of [...FOLDERS, ...packagesIn('packages'), ...packagesIn('services')])
    if (existsSync(join(folder, 'node_modules')))
      symlinkSync(resolve(folder, 'node_modules'), join(clone, folder, 'node_modules'))
  if (!read('CHANGELOG.md').includes('## Unreleased\n'))
    writeFileSync(
      join(clone, 'CHANGELOG.md'),
      read('CHANGELOG.md').replace('\n## ', '\n## Unreleased\n\n### Before you upgrade\n\n- Nothing.\n\n## '),
    )
  git('init', '--quiet')
  appendFileSync(join(clone, '.git', 'info', 'exclude'), 'node_modules\n')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'state')
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

test.each([
  ['next', /is not a version/],
  [LAST_VERSION, /does not follow the last release/],
  ['0.0.9', /does not follow the last release/],
])('refuses the version %s', (version, fault) => {
  const { status, stderr } = release(version)
  expect([status, stderr]).toEqual([1, expect.stringMatching(fault)])
})

test('refuses a tree with changes, and names them', () => {
  appendFileSync(join(clone, 'README.md'), '\n')
  const { status, stderr } = release(VERSION)
  git('checkout', '--quiet', 'README.md')
  expect([status, stderr]).toEqual([1, expect.stringContaining('README.md')])
})

test('changes nothing in a dry run, and prints the notes', () => {
  const { status, stdout } = release(VERSION, '--dry-run')
  expect([status, stdout]).toEqual([0, expect.stringContaining('### Before you upgrade')])
  expect([git('status', '--porcelain'), git('tag')]).toEqual(['', ''])
})

test('makes a commit and a tag with the version everywhere, the notes and what integrators are given', () => {
  const made = release(VERSION)
  expect([made.status, made.stdout]).toEqual([0, expect.stringContaining(`git push origin HEAD v${VERSION}`)])
  expect(git('status', '--porcelain')).toBe('')
  expect(git('log', '-1', '--format=%s', `v${VERSION}`)).toBe(`release: ${VERSION}`)
  expect(git('cat-file', '-t', `v${VERSION}`)).toBe('tag')
  const versions = git('ls-files', 'package.json', '*/package.json').split('\n').map(manifest)
  expect(new Set(versions.map(({ version }) => version))).toEqual(new Set([VERSION]))
  expect(readdirSync(join(clone, 'releases'))).toEqual([VERSION])
  expect(readdirSync(join(clone, 'releases', VERSION)).sort()).toEqual([
    'openapi.json',
    'openapi.operator.json',
    'vectors.json',
    'webhook-verifier',
  ])
  expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${VERSION} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm'))
  expect(run(process.execPath, 'scripts/release-notes.ts', VERSION)).toContain('### Before you upgrade')
  const again = release(VERSION)
  expect([again.status, again.stderr]).toEqual([1, expect.stringMatching(/does not follow the last release/)])
})
