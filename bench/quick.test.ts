import { expect, test } from '@jest/globals'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--conditions=platform-source', 'bench/run.ts', ...args], {
    cwd: `${import.meta.dirname}/..`,
  })

test('measures reads, writes, fan-out and timers against their floors in the short form', async () => {
  const { stdout } = await run('--quick', 'read', 'write', 'fan-out', 'timers')
  expect(stdout).toMatch(/^product: [\d.]+ \[.*\] of the speed of floor/m)
  expect(stdout).toMatch(
    /^(product, 64 connections: [\d.]+ \[.*\] of the speed of pgbench|No ratio: pgbench)/m,
  )
  expect(stdout).toMatch(/^product: [\d.]+ \[.*\] of the speed of undici loop/m)
  expect(stdout).toMatch(/^2,000 open: [\d.]+ \[.*\] of the speed of 100 open/m)
  expect(stdout).toMatch(
    /^2,000 open: a claim of 50 that are due .* by onramp_orders_due, onramp_orders_pkey$/m,
  )
}, 240_000)

test('creates card orders in the short form, and counts a storm of notices once', async () => {
  const { stdout } = await run('--quick', 'fiat-write', 'notice-storm')
  expect(stdout).toMatch(/^(product: [\d.]+ \[.*\] of the speed of pgbench|No ratio: pgbench)/m)
  expect(stdout).toMatch(/^nothing lost, nothing doubled: 40 orders paid, 40 events, \d+ deliveries$/m)
}, 360_000)

test('measures refunds in the short form, and the connections that they hold while a processor is slow', async () => {
  const { stdout } = await run('--quick', 'refund')
  expect(stdout).toMatch(/^(product: [\d.]+ \[.*\] of the speed of pgbench|No ratio: pgbench)/m)
  expect(stdout).toMatch(
    /^processor with 200 ms: refunds' connections .* held idle in a transaction [\d.]+$/m,
  )
}, 240_000)

test('measures a backlog, a healthy destination among dead ones, and the latency in the short form', async () => {
  const { stdout } = await run('--quick', 'backlog', 'dead-destinations', 'latency')
  expect(stdout).toMatch(/^a claim of 64 out of 2,000: \d+ µs \[.*\], [\d.]+ of one out of 2,000/m)
  expect(stdout).toMatch(/^1000 events\/s: p50 \d+ ms \[.*\], p95 \d+ ms/m)
  expect(stdout).toMatch(/^memory of webhooks: \d+ MiB before, \d+ MiB at the most/m)
  expect(stdout).toMatch(/^among 100 dead: [\d.]+ of the p99 alone/m)
}, 240_000)

test('times every list and search in the short form', async () => {
  const { stdout } = await run('--quick', 'lists')
  expect(stdout).toMatch(/^20,000 deliveries were made$/m)
  expect(stdout).toMatch(/^the slowest p99: [\d.]+ ms/m)
}, 240_000)

test('measures events during a held snapshot in the short form', async () => {
  const { stdout } = await run('--quick', 'held-snapshot')
  expect(stdout).toMatch(/^product, snapshot of .*: [\d.]+ \[.*\] of the speed of product/m)
  expect(stdout).toMatch(/^a claim of deliveries: \d+ pages and \d+ µs before/m)
}, 240_000)

test('repeats the published faults of other queues in the short form, and loses nothing', async () => {
  const { stdout } = await run('--quick', 'queue-cases')
  const rows = stdout.split('\n').filter((line) => / {2}product /.test(line))
  expect(rows).toHaveLength(9)
  expect(rows.filter((row) => !/ 0 +\d+$/.test(row))).toEqual([])
}, 600_000)

test('settles orders from blocks in the short form, and catches up', async () => {
  const { stdout } = await run('--quick', 'blocks')
  expect(stdout).toMatch(/^200 open orders: [\d.]+ \[.*\] of the speed of the blocks alone/m)
  expect(stdout).toMatch(/^200 open orders: [\d.]+ \[.*\] of the speed of 10 open orders/m)
  expect(stdout).toMatch(/^catching up 400 blocks: [\d.]+ s, \d+ blocks\/s$/m)
  expect(stdout).toMatch(
    /^memory of its process in \d+ s of reading on, [\d,]+ blocks: at most \d+, \d+, \d+ MiB/m,
  )
}, 240_000)

test('posts card payments in the short form, and reads many entries', async () => {
  const { stdout } = await run('--quick', 'ledger')
  expect(stdout).toMatch(/^one processor: [\d.]+ \[.*\] of the speed of 10,000 processors \(aim 0\.95\)/m)
  expect(stdout).toMatch(/^(one processor: [\d.]+ \[.*\] of the speed of pgbench|No ratio: pgbench)/m)
  expect(stdout).toMatch(/^on disk: \d+ bytes a transfer, receipts included/m)
  expect(stdout).toMatch(/^rebuild of 200 facts: \d+ facts\/s/m)
  expect(stdout).toMatch(/^a page of 100 entries among 4,000: p50 [\d.]+ ms, p99 [\d.]+ ms/m)
  expect(stdout).toMatch(/^the trial balance among 4,000 transfers: p50 [\d.]+ ms/m)
}, 240_000)

test('times the way of facts into the books in the short form', async () => {
  const { stdout } = await run('--quick', 'ledger-latency')
  expect(stdout).toMatch(/^200 facts\/s: p50 \d+ ms \[.*\], p99 \d+ ms/m)
}, 240_000)
