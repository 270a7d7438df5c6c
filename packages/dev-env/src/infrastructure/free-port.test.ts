import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { RESERVATIONS, reserve } from './free-port.ts'

/** Never given by `freePort`. */
const PORT = 1
const file = join(RESERVATIONS, String(PORT))
afterAll(() => rmSync(file, { force: true }))

test('reserves a port for one process at a time, and again after that process ended', () => {
  rmSync(file, { force: true })
  expect([reserve(PORT), reserve(PORT)]).toEqual([true, false])
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(file, String(pid))
  expect([reserve(PORT), reserve(PORT), reserve(PORT)]).toEqual([false, true, false])
})
