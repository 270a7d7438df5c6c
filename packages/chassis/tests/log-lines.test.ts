import { expect, test } from '@jest/globals'
import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const LOG = new URL('../src/log.ts', import.meta.url).href
const SETUP = `
  import { createLogger, infoLines } from ${JSON.stringify(LOG)}
  const log = createLogger({ service: 'test', level: 'info' })
  const line = infoLines(log)
  const write = (from, to) => { for (let n = from; n < to; n += 1) line('"n":' + n) }
`

const argumentsOf = (program: string) => ['--input-type=module', '-e', SETUP + program]

test("writes the request lines in order, including those of a process's last moment", async () => {
  const program = `write(0, 3); process.stdin.once('data', () => { write(3, 5); process.exit(0) })`
  const { stdin, stdout } = spawn(process.execPath, argumentsOf(program), {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines: unknown[] = []
  for await (const line of createInterface(stdout)) {
    lines.push((JSON.parse(line) as { n: unknown }).n)
    if (lines.length === 3) stdin.end('go on\n')
  }
  expect(lines).toEqual([0, 1, 2, 3, 4])
})

test('writes the request lines while the process runs', async () => {
  const program = `
    write(0, 2)
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_000)`
  await expect(promisify(execFile)(process.execPath, argumentsOf(program))).rejects.toMatchObject({
    signal: 'SIGKILL',
    stdout: expect.stringMatching(/"n":0}\n.*"n":1}\n$/),
  })
})
