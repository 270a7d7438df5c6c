import type { Clock } from '@causeway/chassis'
import { type CardProcessor, type CheckoutRequest, openCardProcessors } from '@causeway/rails/cards'
import { checkoutRequest } from '@causeway/rails/tests/card-fixture'
import type { SandboxConfig } from '../src/config.ts'
import { control } from './control.ts'
import { CARD_SECRET, startSandbox } from '../src/testing/index.ts'
import { startFakePlatform } from './fake-platform.ts'

/** Longer than any call takes, even on a slow machine. */
const TIMEOUT_MS = 120_000

/** A sandbox, a fake platform that receives its callbacks, and the card adapters connected to it. */
export const startCardFixture = async (change: Partial<SandboxConfig> = {}, clock?: Clock) => {
  const sandbox = await startSandbox(change, clock)
  const platform = await startFakePlatform()
  const processors = await openCardProcessors({
    timeoutMs: TIMEOUT_MS,
    connections: 8,
    accounts: { sandbox: { baseUrl: sandbox.cardUrl(), secret: CARD_SECRET } },
  })
  const processorOf = (key: string): CardProcessor => {
    const processor = processors.get(key)
    if (!processor) throw new Error(`no processor ${key}`)
    return processor
  }
  const parts = processorOf('processor')
  return {
    sandbox,
    platform,
    parts,
    full: processorOf('processor_full'),
    post: (path: string, body: unknown) => control(sandbox, 'POST', `/control/${path}`, body),
    put: (path: string, body: unknown) => control(sandbox, 'PUT', `/control/${path}`, body),
    /** Opens a checkout whose payer returns to the fake platform's shop. */
    checkout: async (changes: Partial<CheckoutRequest> = {}, processor = parts) => {
      const request = checkoutRequest(platform.noticeUrl, {
        returnUrl: `${platform.url}/thanks`,
        failureUrl: `${platform.url}/sorry`,
        ...changes,
      })
      return { ...request, ...(await processor.createCheckout(request)) }
    },
    stop: async () => {
      for (const processor of processors.values()) await processor.close()
      await sandbox.stop()
      await platform.close()
    },
  }
}

export type CardFixture = Awaited<ReturnType<typeof startCardFixture>>
