import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openTestFolder } from './test-folder.ts'

let memory: string
let disk: string
beforeEach(() => {
  memory = mkdtempSync(join(tmpdir(), 'causeway-memory-'))
  disk = mkdtempSync(join(tmpdir(), 'causeway-disk-'))
})
afterEach(() => {
  for (const folder of [memory, disk]) rmSync(folder, { recursive: true, force: true })
})

test('stores a run’s data in memory if there is room, otherwise on disk', () => {
  const inMemory = openTestFolder({ memory, disk, neededBytes: 1 })
  expect(dirname(inMemory.path)).toBe(memory)
  inMemory.remove()
  expect(existsSync(inMemory.path)).toBe(false)

  for (const room of [
    { memory, disk, neededBytes: Number.MAX_SAFE_INTEGER },
    { memory: join(memory, 'none'), disk, neededBytes: 1 },
  ]) {
    const onDisk = openTestFolder(room)
    expect(dirname(onDisk.path)).toBe(disk)
    onDisk.remove()
  }
})

test('removes the remains of killed runs, and nothing else', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const { uid } = userInfo()
  const left = [
    join(memory, `causeway-run-${uid}-${pid}-a`),
    join(disk, `causeway-run-${uid}-${pid}-a`),
    // This process's id, before it was this process's.
    join(disk, `causeway-run-${uid}-${process.pid}-a`),
  ]
  const kept = [
    join(disk, `causeway-run-${uid}-${process.ppid}-a`),
    join(disk, `causeway-run-${uid + 1}-${pid}-a`),
    join(disk, 'causeway-run-x'),
  ]
  for (const folder of [...left, ...kept]) mkdirSync(folder)
  openTestFolder({ memory, disk, neededBytes: 1 })
  expect(left.map((folder) => existsSync(folder))).toEqual([false, false, false])
  expect(kept.map((folder) => existsSync(folder))).toEqual([true, true, true])
})
