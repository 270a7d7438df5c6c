import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'

type Step = Readonly<{ name?: string; uses?: string; run?: string; with?: Readonly<Record<string, unknown>> }>
type Job = Readonly<{ permissions?: Readonly<Record<string, string>>; steps: readonly Step[] }>
type Workflow = Readonly<{
  on: Readonly<Record<string, unknown>>
  permissions: Readonly<Record<string, string>>
  jobs: Readonly<Record<string, Job>>
}>

const FOLDER = '.github/workflows'
const FILES = readdirSync(FOLDER)
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8')
const read = (file: string) => parse(textOf(file)) as Workflow
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps)

describe.each(FILES)('the workflow %s', (file) => {
  test('pins each action by a commit, with its version as a comment, and names each step', () => {
    const used = textOf(file).match(/uses: .+/g) ?? []
    expect(used).not.toEqual([])
    for (const line of used) expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    expect(stepsOf(read(file)).filter(({ name }) => name === undefined)).toEqual([])
  })

  test('runs scripts that exist', () => {
    const run = stepsOf(read(file)).flatMap(
      ({ run: text = '' }) => text.match(/\S*\bscripts\/\S+\.ts|\.ci\/run/g) ?? [],
    )
    expect(run).not.toEqual([])
    expect(run.filter((script) => !existsSync(script))).toEqual([])
  })
})

describe('the workflow of CI', () => {
  const ci = read('ci.yml')
  const [checkout] = ci.jobs['run']?.steps ?? []
  const run = ci.jobs['run']?.steps.at(-1)?.run ?? ''
  const sum = ci.jobs['sum']?.steps[0]?.run ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'causeway-workflow-'))
  const output = join(folder, 'output')
  afterAll(() => rmSync(folder, { recursive: true }))
  const runStep = (script: string, env: Readonly<Record<string, string>>) =>
    spawnSync('bash', ['-e', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        RUNNER_TEMP: folder,
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: output,
        ...env,
      },
    })

  test('runs .ci/run on the whole history, and may only read', () => {
    expect(ci.permissions).toEqual({ contents: 'read' })
    expect(run).toContain('.ci/run --shard="$SHARD/4"')
    expect(checkout?.with).toMatchObject({ 'fetch-depth': 0 })
  })

  test('gives out the last line of a shard and fails with it', () => {
    mkdirSync(join(folder, '.ci'))
    writeFileSync(join(folder, '.ci', 'run'), '#!/bin/sh\necho "$@"\necho 3 passed, 1 failed\nexit 1\n', {
      mode: 0o755,
    })
    const { status, stdout } = runStep(run, { SHARD: '2' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '--shard=2/4\n3 passed, 1 failed\n' })
    expect(readFileSync(output, 'utf8')).toBe('shard-2=3 passed, 1 failed\n')
  })

  test('adds up the shards and fails unless all of them succeeded', () => {
    const SHARDS = '10 passed, 0 failed|7 passed, 2 failed, 1 skipped||5 passed, 0 failed'
    const failed = runStep(sum, { SHARDS, RESULT: 'failure' })
    expect(failed).toMatchObject({ status: 1, stdout: '22 passed, 2 failed in 3 of 4 shards\n' })
    expect(runStep(sum, { SHARDS, RESULT: 'success' }).status).toBe(0)
  })
})

describe('the workflow of a release', () => {
  const release = read('release.yml')
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  const build = stepsOf(release).find(({ uses = '' }) => uses.startsWith('docker/build-push-action@'))?.with

  test('starts at a tag of a version alone, and gives each job what it needs', () => {
    expect(release.on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } })
    expect(release.permissions).toEqual({})
    expect(Object.entries(release.jobs).map(([name, { permissions }]) => [name, permissions])).toEqual([
      ['image', { contents: 'read', packages: 'write' }],
      ['page', { contents: 'write', packages: 'read' }],
    ])
  })

  test('publishes the image with provenance and a bill of materials', () => {
    expect(build).toMatchObject({ push: true, provenance: 'mode=max', sbom: true })
  })

  test('gives the Dockerfile the values of its labels, and adds no other label', () => {
    const given = String(build?.['build-args']).match(/^\w+(?==)/gm) ?? []
    const labels = [...dockerfile.matchAll(/^ {2}(org\.opencontainers\.image\.\w+)=\$(\w+)/gm)]
    expect(labels.map(([, label, argument]) => [label, argument])).toEqual([
      ['org.opencontainers.image.version', 'VERSION'],
      ['org.opencontainers.image.revision', 'REVISION'],
      ['org.opencontainers.image.source', 'SOURCE'],
    ])
    expect([...given].sort()).toEqual(labels.map(([, , argument]) => argument).sort())
    for (const argument of given) expect(dockerfile).toContain(`\nARG ${argument}=`)
    expect(build).not.toHaveProperty('labels')
  })
})
