import { expect, test } from '@jest/globals'
import { readDatabaseServers, readNatsServers } from './server-list.ts'

test.each([
  ['postgres://u:p@a:5432/name', 'postgres://u:p@a:5432/name', ['a:5432']],
  ['postgres://u:p@a:5432,b:5433/name?x=1', 'postgres://u:p@a:5432/name?x=1', ['a:5432', 'b:5433']],
  ['postgresql://u:p@a,b/name', 'postgresql://u:p@a/name', ['a:5432', 'b:5432']],
  ['postgres://u:p@[::1]:5432,[::2]/name', 'postgres://u:p@[::1]:5432/name', ['::1:5432', '::2:5432']],
])('accepts the database URL %s', (text, url, servers) => {
  const read = readDatabaseServers(text)
  expect(read.url).toBe(url)
  expect(read.servers.map(({ host, port }) => `${host}:${port}`)).toEqual(servers)
})

test.each(['mysql://a/name', 'postgres://u:p@a:5432,/name', 'postgres://u:p@a:54x2/name', 'a:5432', ''])(
  'refuses the database URL %p without repeating it',
  (text) => {
    expect(() => readDatabaseServers(text)).toThrow(/^must be /)
  },
)

test.each([
  ['nats://u:p@a:4222', ['a:4222']],
  ['nats://u:p@a:4222,b:4223', ['a:4222', 'b:4223']],
  ['tls://u:p@a:4222, tls://u:p@b:4222', ['a:4222', 'b:4222']],
])('accepts the NATS URL %s', (text, hosts) => {
  expect(readNatsServers(text).map(({ host }) => host)).toEqual(hosts)
})

test.each([
  'http://a:4222',
  'nats://u:p@a:4222,',
  'nats://u:p@a:4222,tls://u:p@b:4222',
  'nats://u:p@a:4222,nats://other:p@b:4222',
])('refuses the NATS URL %p without repeating it', (text) => {
  expect(() => readNatsServers(text)).toThrow(/^must be /)
})
