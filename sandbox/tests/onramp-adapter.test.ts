import { SANDBOX_SIGNATURE_HEADER, signSandboxPost } from '@causeway/rails/sandbox'
import { createOnrampProvider } from '@causeway/rails/onramps'
import { describeOnrampProvider } from '@causeway/rails/tests/onramp-provider-suite'
import type { OnrampFixture } from '@causeway/rails/tests/onramp-fixture'
import { control } from './control.ts'
import { startSandbox } from '../src/testing/index.ts'
import { startFakePlatform } from './fake-platform.ts'

const SECRET = 'secret-of-the-onramp-notices'
/** Never met, however slow the machine is. */
const PATIENT_MS = 120_000
const IMPATIENT_MS = 1_000

const startFixture = async (): Promise<OnrampFixture> => {
  const sandbox = await startSandbox({ onrampPort: 0, onrampSecret: SECRET })
  const platform = await startFakePlatform()
  const account = { provider: 'sandbox', baseUrl: sandbox.onrampUrl(), secret: SECRET } as const
  const providerOf = (timeoutMs: number) =>
    createOnrampProvider(account, { publicBaseUrl: platform.url, timeoutMs })
  const [provider, impatient] = [providerOf(PATIENT_MS), providerOf(IMPATIENT_MS)]
  const callControl = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
    const answer = await control(sandbox, method, path, body)
    if (answer.status !== 200) throw new Error(`the sandbox answered ${answer.status}`)
  }
  return {
    provider,
    impatient,
    tellsOrders: true,
    signatureHeader: SANDBOX_SIGNATURE_HEADER,
    noticeUrl: platform.noticeUrl,
    say: (onrampOrderId, status, transaction_hash) =>
      callControl('POST', `/control/onramp/${onrampOrderId}`, { status, transaction_hash }),
    fault: (mode, calls) => callControl('PUT', '/control/faults', { target: 'onramp', mode, calls }),
    notices: () => platform.notices,
    sign: (body) => {
      const signature = signSandboxPost(SECRET, Buffer.from(body), new Date())
      return { headers: { [SANDBOX_SIGNATURE_HEADER]: signature }, body: Buffer.from(body) }
    },
    stop: async () => {
      await provider.close()
      await impatient.close()
      await sandbox.stop()
      await platform.close()
    },
  }
}

describeOnrampProvider('sandbox', startFixture)
