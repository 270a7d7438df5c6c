import type { Clock } from '@causeway/chassis'
import { TEST_TIMEOUT_FACTOR } from '@causeway/chassis/testing'
import { z } from 'zod'
import type { SandboxConfig } from '../config.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'

export { readMails, setMailFault, type CaughtMail } from './mail.ts'
export const CARD_SECRET = 'secret-of-the-card-notices'

const ControlAnswer = z.looseObject({ tx_id: z.string().optional() })

export type TestSandbox = Sandbox & {
  /** Calls a control endpoint. @throws Error unless it answers 200 */
  control: (method: 'POST' | 'PUT', path: string, body: unknown) => Promise<z.infer<typeof ControlAnswer>>
}

/** Starts a sandbox in memory on free ports; its providers share the main one unless `change` gives them ports. */
export const startSandbox = async (
  change: Partial<SandboxConfig> = {},
  clock?: Clock,
): Promise<TestSandbox> => {
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
  return {
    ...sandbox,
    async control(method, path, body) {
      const answer = await fetch(`${sandbox.url()}/control${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`)
      return ControlAnswer.parse(JSON.parse(text))
    },
  }
}
