import { testBusKeysText } from '@causeway/chassis/testing'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { WebhooksConfig } from '../src/config.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/**
 * Starts a replica as a separate process, so that it can be killed. It uses the machine's clock.
 * @param entry program and its arguments; default: the service
 */
export const startReplicaProcess = async (
  config: WebhooksConfig,
  env: Record<string, string> = {},
  entry: readonly [file: string, ...parameters: string[]] = [MAIN],
): Promise<ChildProcess> => {
  const [file, ...parameters] = entry
  const child = fork(file, parameters, {
    execArgv: [],
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'error',
      WEBHOOKS_DATABASE_URL: config.databaseUrl,
      NATS_URL: config.natsUrl,
      BUS_KEYS: testBusKeysText('webhooks'),
      ENCRYPTION_KEY: config.keys.encryptionKey?.toString('base64'),
      WEBHOOK_ALLOW_INSECURE: 'true',
      ...env,
    },
  })
  await once(child, 'message')
  return child
}

/** Sends SIGKILL and waits for the exit. */
export const killNow = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
