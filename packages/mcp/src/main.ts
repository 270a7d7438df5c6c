#!/usr/bin/env node
import type { LogEvent } from '@causeway/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import manifest from '../package.json' with { type: 'json' }
import { readSettings, SettingsError, USAGE } from './config.ts'
import { createServer } from './server.ts'
import { createToolbox } from './toolbox.ts'

const { version } = manifest

/** stdout is the protocol's. */
const tell = (text: string): void => void process.stderr.write(`${text}\n`)
const log = (line: Readonly<Record<string, unknown>>): void => tell(JSON.stringify(line))

const logCall = (event: LogEvent): void => {
  if (event.event === 'request') return
  const { error, ...rest } = { error: undefined, ...event }
  log({ ...rest, ...(error && { error: error.message }) })
}

const serve = (): void => {
  const { baseUrl, ...caller } = readSettings()
  const toolbox = createToolbox(caller, { baseUrl, log: logCall })
  serveStdio(() => createServer(toolbox, version), {
    onerror: (error) => log({ event: 'protocol_error', error: error.message }),
  })
  log({
    event: 'started',
    version,
    host: new URL(baseUrl).host,
    caller: 'apiKey' in caller ? 'merchant' : 'partner',
  })
}

const [argument] = process.argv.slice(2)
try {
  if (argument === undefined) serve()
  else if (argument === '--help') process.stdout.write(USAGE)
  else throw new SettingsError(`There is no argument ${argument}\n\n${USAGE}`)
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  tell(error.message)
  process.exitCode = 1
}
