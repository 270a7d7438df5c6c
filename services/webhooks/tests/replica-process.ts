import { startServiceProcess } from '@causeway/chassis/testing'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { WebhooksConfig } from '../src/config.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Starts a replica as a separate process. @param entry program and its arguments; default: the service */
export const startReplicaProcess = (
  config: WebhooksConfig,
  env: Record<string, string> = {},
  entry: readonly [file: string, ...parameters: string[]] = [MAIN],
): Promise<ChildProcess> =>
  startServiceProcess('webhooks', entry, config, {
    ENCRYPTION_KEY: config.keys.encryptionKey?.toString('base64'),
    WEBHOOK_ALLOW_INSECURE: 'true',
    ...env,
  })
