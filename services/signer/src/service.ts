import { createServiceClient, type KeylessServiceContext, type Running } from '@causeway/chassis'
import { startKeylessService } from '@causeway/chassis/database'
import { fileURLToPath } from 'node:url'
import { createPayments } from './clients/payments.ts'
import type { SignerConfig } from './config.ts'
import { openNetworks, type SigningNetworks } from './networks.ts'
import { createPayoutApprovalOpener } from './payout-approvals/approvals.ts'
import { payoutApprovalOperations } from './payout-approvals/operations.ts'
import { signerPayoutOperations } from './payouts/operations.ts'
import { startRecordHead } from './record/jobs/publish-head.ts'
import { createApprovalOpener } from './refund-approvals/approvals.ts'
import { refundApprovalOperations } from './refund-approvals/operations.ts'
import { refundOperations } from './refunds/operations.ts'
import { startSweeps } from './sweeps/jobs/sweep-addresses.ts'
import { startFactKeeping } from './transfers/jobs/keep-facts.ts'
import { startTransferGauges } from './transfers/jobs/gauges.ts'
import { treasuryOperations } from './treasury/operations.ts'
import { resolveSweepAddresses } from './treasury/treasury.ts'
import { addressTransferOperations } from './address-transfers/operations.ts'
import { startTransferSteps } from './transfers/jobs/perform-transfers.ts'

export const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

const PAYMENTS_TIMEOUT_MS = 3_000

type Open = (config: SignerConfig, context: KeylessServiceContext) => Promise<SigningNetworks>

const build = (config: SignerConfig, open: Open) => async (context: KeylessServiceContext) => {
  const networks = await open(config, context)
  const { confirmations, limits, payoutLimits, replacements, pollEveryMs: everyMs } = config
  const sweepAddresses = resolveSweepAddresses(config.sweepAddresses, networks)
  const openApproval = createApprovalOpener(config.approvalKeys)
  const openPayoutApproval = createPayoutApprovalOpener(config.approvalKeys)
  const steps = startTransferSteps(context, {
    ...{ networks, confirmations, everyMs, limits, payoutLimits, openApproval, openPayoutApproval },
    ...{ replacements, sweepAddresses },
  })
  const gauges = startTransferGauges(context)
  const head = startRecordHead(context)
  const facts = startFactKeeping(context)
  const payments = createPayments(createServiceClient({ ...context, timeoutMs: PAYMENTS_TIMEOUT_MS }))
  const sweeps = await startSweeps(context, { ...config, sweepAddresses, networks, payments })
  return {
    operations: [
      ...refundApprovalOperations(context, { openApproval }),
      ...payoutApprovalOperations(context, openPayoutApproval),
      ...treasuryOperations({ networks, sweepAddresses }),
      ...addressTransferOperations(context),
      ...signerPayoutOperations(context, {
        ...{ networks, payoutLimits, openPayoutApproval, sweepAddresses },
        onRequested: steps.wake,
      }),
      ...refundOperations(context, {
        networks,
        limits,
        openApproval,
        sweepAddresses,
        onRequested: steps.wake,
      }),
    ],
    async stop() {
      await Promise.all([steps.stop(), gauges.stop(), head.stop(), facts.stop(), sweeps.stop()])
      await Promise.all([...networks.values()].map((transfers) => transfers.close()))
    },
  }
}

/**
 * Starts the signer: the only process that holds keys which move money. It encrypts nothing, so it has no key ring.
 * @param open tests bring networks of their own
 */
export const startSigner = (config: SignerConfig, open: Open = openNetworks): Promise<Running> =>
  startKeylessService({ name: 'signer', migrations: MIGRATIONS, build: build(config, open) }, config)
