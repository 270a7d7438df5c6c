import { expect, test } from '@jest/globals'
import { launcherChain } from './launchers.ts'

type Process = [pid: number, parent: number, command: string]

const lookAt = (processes: readonly Process[]) => ({
  parentOf: (pid: number) => processes.find(([each]) => each === pid)?.[1] ?? null,
  commandOf: (pid: number) => processes.find(([each]) => each === pid)?.[2] ?? null,
})

const underNpx: Process[] = [
  [60, 50, 'node scripts/start.ts'],
  [50, 40, 'sh -c node scripts/start.ts'],
  [40, 30, 'pnpm start'],
  [30, 20, "sh -c 'pnpm' start"],
  [20, 10, 'npm exec pnpm@12 start'],
  [10, 1, '/bin/bash -c npx -y pnpm@12 start > log &'],
]

test('watches every process up to the outermost launcher, and not the shell that called it', () => {
  expect(launcherChain(60, lookAt(underNpx))).toEqual([
    { child: 60, parent: 50 },
    { child: 50, parent: 40 },
    { child: 40, parent: 30 },
    { child: 30, parent: 20 },
  ])
})

test('watches nothing for a start from a shell, because the start outlives the shell', () => {
  const processes: Process[] = [
    [60, 50, 'node scripts/start.ts'],
    [50, 1, 'bash -c node scripts/start.ts & sleep 1'],
  ]
  expect(launcherChain(60, lookAt(processes))).toEqual([])
})

test('watches no process of another program that starts the platform', () => {
  const processes: Process[] = [
    [60, 50, 'node scripts/start.ts'],
    [50, 40, 'python3 runner.py'],
    [40, 1, 'pnpm run everything'],
  ]
  expect(launcherChain(60, lookAt(processes))).toEqual([])
})
