import { openCardProcessors } from '@causeway/rails/cards'
import { SANDBOX_SIGNATURE_HEADER, signSandboxPost } from '@causeway/rails/sandbox'
import { describeCardProcessor } from '@causeway/rails/tests/card-processor-suite'
import type { CardFixture } from '@causeway/rails/tests/card-fixture'
import { control } from './control.ts'
import { CARD_SECRET, startSandbox } from '../src/testing/index.ts'
import { startFakePlatform } from './fake-platform.ts'

/** Never met, however slow the machine is. */
const PATIENT_MS = 120_000
const IMPATIENT_MS = 1_000

const startFixture = async (key: string): Promise<CardFixture> => {
  const sandbox = await startSandbox({ cardPort: 0 })
  const platform = await startFakePlatform()
  const processorsOf = (timeoutMs: number) =>
    openCardProcessors({
      timeoutMs,
      connections: 8,
      accounts: { sandbox: { baseUrl: sandbox.cardUrl(), secret: CARD_SECRET } },
    })
  const all = await Promise.all([processorsOf(PATIENT_MS), processorsOf(IMPATIENT_MS)])
  const [processor, impatient] = all.map((processors) => processors.get(key))
  if (!processor || !impatient) throw new Error(`no processor ${key}`)
  const callControl = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
    const answer = await control(sandbox, method, path, body)
    if (answer.status !== 200) throw new Error(`the sandbox answered ${answer.status}`)
  }
  return {
    processor,
    impatient,
    noticeUrl: platform.noticeUrl,
    pay: (orderKey, outcome) => callControl('POST', `/control/card-payments/${orderKey}`, { outcome }),
    refundOutside: (orderKey, amount_cents) =>
      callControl('POST', `/control/card-refunds/${orderKey}`, { amount_cents }),
    dispute: (orderKey) => callControl('POST', `/control/chargebacks/${orderKey}`, {}),
    fault: (mode, calls) => callControl('PUT', '/control/faults', { target: 'card', mode, calls }),
    notices: () => platform.notices,
    sign: (body) => {
      const signature = signSandboxPost(CARD_SECRET, Buffer.from(body), new Date())
      return { headers: { [SANDBOX_SIGNATURE_HEADER]: signature }, body: Buffer.from(body) }
    },
    stop: async () => {
      for (const processors of all) for (const each of processors.values()) await each.close()
      await sandbox.stop()
      await platform.close()
    },
  }
}

describeCardProcessor('sandbox, in parts', () => startFixture('processor'))
describeCardProcessor('sandbox, full value only', () => startFixture('processor_full'))
