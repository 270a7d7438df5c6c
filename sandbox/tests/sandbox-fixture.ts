import type { Clock } from '@causeway/chassis'
import { TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import type { SandboxConfig } from '../src/config.ts'
import { createSandbox, type Sandbox } from '../src/sandbox.ts'

export const CARD_SECRET = 'secret-of-the-card-notices'

/** A sandbox in memory on free ports, the chain and the cards on the main one; started. */
export const startSandbox = async (change: Partial<SandboxConfig> = {}, clock?: Clock): Promise<Sandbox> => {
  const config = {
    host: '127.0.0.1',
    port: 0,
    chainPort: null,
    cardPort: null,
    cardSecret: CARD_SECRET,
    publicUrl: null,
    dataFolder: null,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
    ...change,
  }
  const sandbox = createSandbox(config, clock)
  await sandbox.start()
  return sandbox
}
