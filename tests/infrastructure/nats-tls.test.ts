import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { connectBus, createLogger, loadSettings, setting, toBusTls } from '@causeway/chassis'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { type NatsServer, startNats } from '@causeway/dev-env/infrastructure/nats'
import { asServer, issue, type Issued } from '../../services/webhooks/tests/hostile/certificates.ts'

const folder = mkdtempSync(join(tmpdir(), 'causeway-tls-'))
const PASSWORD = 'canary-password'
const log = createLogger({ service: 'test', level: 'silent' })
const at = (name: string) => join(folder, name)
let server: NatsServer
let plain: NatsServer
let recorder: Server
let recorderPort = 0
const recorded: Buffer[] = []

const write = async (name: string, issued: Issued) => {
  const { cert, key } = await asServer(issued)
  writeFileSync(at(`${name}.pem`), cert)
  writeFileSync(at(`${name}.key`), key)
}
const users = `authorization { users: [{ user: payments, password: "${PASSWORD}" }], timeout: 60 }\n`
const start = (name: string, more: string) =>
  startNats({
    folder: at(name),
    logFile: at(`${name}.log`),
    env: process.env,
    config: ({ listen }) => `listen: "${listen}"\n${users}${more}`,
  })

beforeAll(async () => {
  const authority = await issue({ name: 'Test Authority', issuer: null, isAuthority: true })
  const stranger = await issue({ name: 'Another Authority', issuer: null, isAuthority: true })
  await write('authority', authority)
  await write('stranger', stranger)
  await write('server', await issue({ name: 'nats', issuer: authority, hosts: ['localhost'] }))
  await write('elsewhere', await issue({ name: 'nats', issuer: authority, hosts: ['nats.example'] }))
  await write('client', await issue({ name: 'payments', issuer: authority, isForClients: true }))
  const tls = `tls { cert_file: "${at('server.pem')}", key_file: "${at('server.key')}", ca_file: "${at('authority.pem')}", verify: true, timeout: 60 }\n`
  ;[server, plain] = await Promise.all([start('tls', tls), start('plain', '')])
  recorder = createServer((socket) => {
    // A server that offers no TLS, as a man in the middle could pose.
    socket.write(
      `INFO {"server_id":"x","version":"2.14.0","proto":1,"max_payload":1048576,"headers":true}\r\n`,
    )
    socket.on('data', (bytes) => recorded.push(bytes))
    socket.on('error', () => undefined)
  })
  recorderPort = await freePort()
  await new Promise<void>((resolve) => recorder.listen(recorderPort, '127.0.0.1', resolve))
})
afterAll(async () => {
  recorder.close()
  await Promise.all([server.stop(), plain.stop()])
  rmSync(folder, { recursive: true, force: true })
})

const client = { certFile: at('client.pem'), keyFile: at('client.key') }
const open = (scheme: string, port: number, tls: object) =>
  connectBus({
    url: `${scheme}://payments:${PASSWORD}@localhost:${port}`,
    name: 'payments',
    log,
    tls,
    connectTimeoutMs: 500,
  })

test('connects by tls:// to a server whose certificate the given authority signed, with a client certificate', async () => {
  const bus = await open('tls', server.port, { caFile: at('authority.pem'), ...client })
  await bus.connection.flush()
  expect(bus.connection.info?.tls_required).toBe(true)
  await bus.close()
})

test.each([
  ['another authority', { caFile: at('stranger.pem'), ...client }],
  ["the system's authorities", client],
])('refuses by tls:// a server that %s did not sign', async (_title, tls) => {
  await expect(open('tls', server.port, tls)).rejects.toThrow(
    /^NATS_URL: cannot connect to localhost:\d+: .*cert/i,
  )
})

test('refuses a client without a certificate on a server that requires client certificates', async () => {
  await expect(open('tls', server.port, { caFile: at('authority.pem') })).rejects.toThrow(
    'NATS_URL: cannot connect',
  )
})

test('sends no password by tls:// to a server without TLS', async () => {
  await expect(open('tls', plain.port, {})).rejects.toThrow(/does not support 'tls'/)
  await expect(open('tls', recorderPort, {})).rejects.toThrow(/does not support 'tls'/)
  expect(Buffer.concat(recorded).toString('latin1')).not.toContain(PASSWORD)
})

test('connects by nats:// without encryption, and rejects any other scheme as a fault of the setting', async () => {
  const bus = await open('nats', plain.port, {})
  await bus.close()
  const table = { NATS_URL: setting.natsUrl({ doc: 'url' }) }
  for (const url of ['ws://a:b@host', 'http://host', 'host:4222', 'natss://host'])
    expect(() => loadSettings(table, { NATS_URL: url })).toThrow(
      'Bad settings: NATS_URL must be a URL (nats: or tls://…)',
    )
  const half = { NATS_CA_FILE: undefined, NATS_CERT_FILE: '/a.pem', NATS_KEY_FILE: undefined }
  expect(() => toBusTls(half)).toThrow('Bad settings: set both NATS_CERT_FILE and NATS_KEY_FILE, or neither')
})
