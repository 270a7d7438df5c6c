import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

test('refuses an unknown benchmark, and lists the known names', async () => {
  const nonsense = promisify(execFile)(
    process.execPath,
    ['--conditions=platform-source', 'bench/run.ts', 'nonsense'],
    { cwd: `${import.meta.dirname}/..` },
  )
  await expect(nonsense).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^bench: No benchmark is called nonsense: there are read, write, replicas, fan-out, /,
    ),
  })
})
