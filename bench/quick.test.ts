import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['bench/run.ts', ...args], { cwd: `${import.meta.dirname}/..` })

test('the short form still measures reads, writes and fan-out against their floors', async () => {
  const { stdout } = await run('--quick', 'read', 'write', 'fan-out')
  expect(stdout).toMatch(/^product: [\d.]+ \[.*\] of the speed of floor/m)
  expect(stdout).toMatch(
    /^(product, 64 connections: [\d.]+ \[.*\] of the speed of pgbench|No ratio: pgbench)/m,
  )
  expect(stdout).toMatch(/^product: [\d.]+ \[.*\] of the speed of undici loop/m)
}, 180_000)

test('a name that no benchmark has is refused, and the names that there are are told', async () => {
  await expect(run('nonsense')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^bench: No benchmark is called nonsense: there are read, write, fan-out, /,
    ),
  })
})
