import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { findProgram } from '@causeway/dev-env/infrastructure/program-path'

const KIT = join(import.meta.dirname, '../../packages/webhook-verifier')
const EXAMPLES = join(KIT, 'examples')
const VECTORS = join(KIT, 'vectors.json')
const SECRET = 'c0ffee11223344556677889900aabbccddeeff00112233445566778899aabbcc'

type Vectors = { results: Record<string, string>; vectors: { name: string; expect: string }[] }
const { results, vectors } = JSON.parse(readFileSync(VECTORS, 'utf8')) as Vectors
const EXPECTED = vectors.map(({ name, expect }) => [name, expect])

const paid = { event: 'paid', order: { id: 'ord_1' }, eventId: 'evt_5', sequence: 5 }
/** Deliveries in the order in which they arrive, each with whether a receiver works on it. */
const ARRIVALS: readonly (readonly [event: object, isTaken: boolean])[] = [
  [paid, true],
  [paid, false],
  [{ ...paid, event: 'reverted', eventId: 'evt_7', sequence: 7 }, true],
  [{ ...paid, event: 'underpaid', eventId: 'evt_4', sequence: 4 }, false],
  [{ ...paid, order: { id: 'ord_2' }, eventId: 'evt_3', sequence: 3 }, true],
  [{ ...paid, event: 'risk_alert', eventId: 'evt_9', sequence: 9 }, true],
  [{ ...paid, eventId: 'evt_8', sequence: 8 }, true],
  [
    {
      event: 'ramping.status_changed',
      data: { id: 'onr_1', orderId: 'ord_1' },
      eventId: 'evt_2',
      sequence: 2,
    },
    true,
  ],
  [{ event: 'paid', order: { id: 'ord_1' } }, true],
  [{ event_id: 'evt_1', event_type: 'payment.confirmed', data: {} }, true],
  [{ event_id: 'evt_1', event_type: 'payment.confirmed', data: {} }, false],
]
const TAKEN = ARRIVALS.map(([, isTaken]) => isTaken)
const ARRIVING = JSON.stringify(ARRIVALS.map(([event]) => event))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-receivers-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (program: string, args: readonly string[], cwd: string, env = {}): Promise<string> =>
  (await promisify(execFile)(program, [...args], { cwd, env: { ...process.env, ...env } })).stdout

/** Sends a receiver a genuine and a forged delivery; gives the statuses of its answers. */
const statusesOf = async (program: string, args: readonly string[]): Promise<number[]> => {
  const port = await freePort()
  const env = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) }
  const receiver = spawn(program, args, { env, stdio: 'ignore' })
  const body = '{"event_id":"evt_1","event_type":"refund.completed","data":{}}'
  const deliver = async (sent: string): Promise<number> => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const mac = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')
    const headers = { 'x-timestamp': timestamp, 'x-signature': `v1=${mac}` }
    return (await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers, body: sent })).status
  }
  try {
    const genuine = await eventually(() => deliver(body))
    return [genuine, await deliver(body.replace('evt_1', 'evt_2'))]
  } finally {
    receiver.kill('SIGKILL')
  }
}

const found = (...names: string[]) => findProgram(names, process.env['PATH'] ?? '')
const titled = (language: string, program: string | null, debian: string) =>
  program === null ? `${language} (skipped: not on PATH; Debian: apt-get install ${debian})` : language
const python = found('python3')
const go = found('go')

test('lists every expected result of the vectors', () => {
  expect(Object.keys(results).sort()).toEqual([...new Set(vectors.map((vector) => vector.expect))].sort())
})

;(python === null ? describe.skip : describe)(titled('the receiver in Python', python, 'python3'), () => {
  test('gets the expected result of every vector', async () => {
    const program = join(import.meta.dirname, 'vectors.py')
    const printed = await run(python ?? '', [program, EXAMPLES, VECTORS], folder)
    expect(JSON.parse(printed)).toEqual(EXPECTED)
  })

  test('works on each event once, and on none that is older than what its object had applied', async () => {
    const program =
      'import json, os, receiver; print(json.dumps([receiver.inbox.take(e) for e in json.loads(os.environ["ARRIVALS"])]))'
    const printed = await run(python ?? '', ['-B', '-c', program], EXAMPLES, { ARRIVALS: ARRIVING })
    expect(JSON.parse(printed)).toEqual(TAKEN)
  })

  test('answers 200 to a genuine delivery and 400 to a forged one', async () => {
    expect(await statusesOf(python ?? '', ['-B', join(EXAMPLES, 'receiver.py')])).toEqual([200, 400])
  })
})

;(go === null ? describe.skip : describe)(titled('the receiver in Go', go, 'golang-go'), () => {
  beforeAll(() => {
    for (const file of [join(EXAMPLES, 'receiver.go'), join(import.meta.dirname, 'vectors_test.go')])
      cpSync(file, join(folder, file.split('/').at(-1) ?? ''))
    writeFileSync(join(folder, 'go.mod'), 'module receiver\n\ngo 1.19\n')
  })

  test('gets the expected result of every vector', async () => {
    const printed = await run(go ?? '', ['test', '-v', '.'], folder, {
      VECTORS,
      ARRIVALS: '[]',
      GOFLAGS: '-mod=mod',
    })
    const line = printed.split('\n').find((text) => text.startsWith('RESULTS '))
    expect(JSON.parse(line?.slice('RESULTS '.length) ?? 'null')).toEqual(EXPECTED)
  })

  test('works on each event once, and on none that is older than what its object had applied', async () => {
    const env = { VECTORS, ARRIVALS: ARRIVING, GOFLAGS: '-mod=mod' }
    const printed = await run(go ?? '', ['test', '-v', '.'], folder, env)
    const line = printed.split('\n').find((text) => text.startsWith('TAKEN '))
    expect(JSON.parse(line?.slice('TAKEN '.length) ?? 'null')).toEqual(TAKEN)
  })

  test('answers 200 to a genuine delivery and 400 to a forged one', async () => {
    await run(go ?? '', ['build', '-o', 'receiver', '.'], folder)
    expect(await statusesOf(join(folder, 'receiver'), [])).toEqual([200, 400])
  })
})
