import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

test('a name that no benchmark has is refused, and the names that there are are told', async () => {
  const nonsense = promisify(execFile)(process.execPath, ['bench/run.ts', 'nonsense'], {
    cwd: `${import.meta.dirname}/..`,
  })
  await expect(nonsense).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^bench: No benchmark is called nonsense: there are read, write, fan-out, /,
    ),
  })
})
