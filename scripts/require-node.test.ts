import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'

const ROOT = join(import.meta.dirname, '..')
const PRELOAD = join(ROOT, 'scripts', 'require-node.cjs')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-node-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Runs a program that says so, on a Node that calls itself the given version. */
const runOn = async (version: string) => {
  const [pretend, program] = [join(folder, 'pretend.cjs'), join(folder, 'program.cjs')]
  await writeFile(pretend, `Object.defineProperty(process, 'version', { value: '${version}' })`)
  await writeFile(program, 'console.log("running")')
  const args = ['--require', pretend, '--require', PRELOAD, program]
  const env = { ...process.env, npm_lifecycle_event: 'demo' }
  const ran = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr }
}

test.each(['v20.20.2', 'v22.18.0'])(
  'ends a script on %s with the command to run instead',
  async (version) => {
    const { code, stdout, stderr } = await runOn(version)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `Node 24 or newer is required; this is ${version} (${process.execPath}).\n` +
        'Run: npx -y pnpm@12 demo\n' +
        'It installs the right Node into node_modules and uses it; PATH and your own Node stay as they are.\n',
    )
  },
)

test.each(['v24.0.0', 'v26.1.0'])('runs a script on %s', async (version) => {
  const { code, stdout, stderr } = await runOn(version)
  expect([code, stdout, stderr]).toEqual([0, 'running\n', ''])
})

/** Services check it themselves: their commands also run where no scripts are, in the image. */
const manifests = async (): Promise<string[]> => {
  const packages = (await readdir(join(ROOT, 'packages'))).map((name) => join('packages', name))
  return ['.', ...packages].map((name) => join(ROOT, name, 'package.json'))
}

test('requires every script that runs a .ts file to check its Node first', async () => {
  const found = await Promise.all(
    (await manifests()).map(async (path) => {
      const { scripts = {} } = JSON.parse(await readFile(path, 'utf8').catch(() => '{}')) as {
        scripts?: Record<string, string>
      }
      const preload = relative(dirname(path), PRELOAD)
      const option = `--require ${preload.startsWith('.') ? preload : `./${preload}`} `
      return Object.entries(scripts)
        .filter(([, command]) => /\bnode\b.*\.ts\b/.test(command))
        .map(([name, command]) => ({ name, checks: command.includes(`node ${option}`) }))
    }),
  )
  expect(found.flat().filter(({ checks }) => !checks)).toEqual([])
  expect(found.flat().length).toBeGreaterThan(20)
})
