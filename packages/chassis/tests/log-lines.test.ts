import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const LOG = new URL('../src/log.ts', import.meta.url).href
const SETUP = `
  import { createLogger, infoLines } from ${JSON.stringify(LOG)}
  const log = createLogger({ service: 'test', level: 'info' })
  const line = infoLines(log)
  const write = (from, to) => { for (let n = from; n < to; n += 1) line('"n":' + n) }
`

/** The numbers in the lines that a process with this program writes, in their order. */
const linesOf = async (program: string): Promise<unknown[]> => {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', SETUP + program])
  const lines = stdout.trim().split('\n')
  return lines.map((line) => (JSON.parse(line) as { n: unknown }).n)
}

test("writes the request lines in order, including those of a process's last moment", async () => {
  const program = 'write(0, 3); setTimeout(() => { write(3, 5); process.exit(0) }, 60)'
  expect(await linesOf(program)).toEqual([0, 1, 2, 3, 4])
})

test('writes the request lines while the process runs', async () => {
  const program = `
    write(0, 2)
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_000)`
  await expect(linesOf(program)).rejects.toMatchObject({
    signal: 'SIGKILL',
    stdout: expect.stringMatching(/"n":0}\n.*"n":1}\n$/),
  })
})
