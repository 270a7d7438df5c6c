import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createCommandLine, type CommandLine } from './command-line.ts'

let cli: CommandLine
beforeEach(() => {
  cli = createCommandLine()
})
afterEach(() => cli.remove())

/** A loopback address at which nothing listens. */
const nobody = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe('a wrong command line', () => {
  test.each([
    ['cutomers', "unknown command 'cutomers' (Did you mean customers?)"],
    ['customers list --limt 3', "unknown option '--limt' (Did you mean --limit?)"],
    ['customers create --email a@example.com', "required option '--external-id <id>' not specified"],
    ['customers show', "missing required argument 'customer'"],
    [
      'customers list --limit 0',
      "option '--limit <n>' argument '0' is invalid. Enter a whole number from 1 to 100000.",
    ],
    [
      'login wizard',
      "command-argument value 'wizard' is invalid for argument 'kind'. Allowed choices are partner, merchant, staff.",
    ],
    [
      'clock advance 3fortnights',
      "command-argument value '3fortnights' is invalid for argument 'duration'. Enter a duration such as 72h, 90m, 30s or 1d12h.",
    ],
    ['login partner', 'Name the platform: --base-url'],
    ['login --base-url ftp://x', 'ftp://x is not an address such as https://payments.example'],
  ])('exits with 2 and prints one line: %s', async (args, message) => {
    expect(await cli.run(args)).toEqual({ code: 2, stdout: '', stderr: `causeway: ${message}\n` })
  })
})

test('lists the subcommands and exits with 2 when the subcommand is missing', async () => {
  const { code, stdout, stderr } = await cli.run('orders')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^Usage: causeway orders/)
})

test('says how to log in and exits with 3 without a login', async () => {
  expect(await cli.run('customers list')).toEqual({
    code: 3,
    stdout: '',
    stderr: 'causeway: Not logged in: run causeway login, or set CAUSEWAY_BASE_URL and a credential\n',
  })
  expect((await cli.run('whoami --profile shop')).stderr).toBe(
    'causeway: There is no profile shop: run causeway login --profile shop\n',
  )
  const env = { CAUSEWAY_BASE_URL: await nobody() }
  expect(await cli.run('customers list', { env })).toEqual({
    code: 3,
    stdout: '',
    stderr:
      "causeway: This needs a partner's client: run causeway login partner, or set CAUSEWAY_CLIENT_ID and CAUSEWAY_CLIENT_SECRET\n",
  })
})

test('names a platform that does not answer and exits with 5', async () => {
  const baseUrl = await nobody()
  const env = { CAUSEWAY_BASE_URL: baseUrl, CAUSEWAY_CLIENT_ID: 'cli_1', CAUSEWAY_CLIENT_SECRET: 's' }
  expect(await cli.run('customers list', { env })).toEqual({
    code: 5,
    stdout: '',
    stderr: `causeway: No platform answers at ${baseUrl} (No connection for POST /api/oauth/token)\n`,
  })
  expect((await cli.run('customers list --json', { env })).stderr).toBe(
    `${JSON.stringify({ error: { message: `No platform answers at ${baseUrl} (No connection for POST /api/oauth/token)` } })}\n`,
  )
})

test('refuses a credentials file that others can read', async () => {
  mkdirSync(dirname(cli.credentialsFile), { recursive: true })
  writeFileSync(cli.credentialsFile, '{"profiles":{}}')
  chmodSync(cli.credentialsFile, 0o644)
  expect(await cli.run('whoami')).toEqual({
    code: 3,
    stdout: '',
    stderr: `causeway: ${cli.credentialsFile} can be read by others: run chmod 600 ${cli.credentialsFile}\n`,
  })
})

test('shows an example in the --help of every command', async () => {
  const commands = [
    'login',
    'logout',
    'whoami',
    'customers list',
    'customers show',
    'customers create',
    'orders list',
    'orders show',
    'orders create',
    'orders refund',
    'customers onboard',
    'listen',
    'trigger',
    'events list',
    'events show',
    'events resend',
    'deliveries',
    'clock show',
    'clock advance',
    'statement',
    'verify',
  ]
  for (const command of commands) {
    const { code, stdout, stderr } = await cli.run(`${command} --help`)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`\n  causeway ${command} `.trimEnd())
  }
})
