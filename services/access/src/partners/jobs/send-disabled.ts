import { startLoop, type ServiceClient } from '@causeway/chassis'
import { disabledPartners } from '@causeway/contracts'
import type { AccessContext } from '../../context.ts'
import { getDisabledPartners } from '../store.ts'

/** Sent without a change too, so that a restored database of either service is corrected. */
const REPEAT_MS = 30_000
/** Changes in quick succession are sent together. */
const REST_MS = 50
const RETRY_MS = 500

type SendOptions = Pick<AccessContext, 'db' | 'log' | 'changeFeed'> & Readonly<{ ask: ServiceClient }>

const sendDisabledPartners = async ({ db, ask }: SendOptions): Promise<void> => {
  const row = await getDisabledPartners(db)
  if (row === null) throw new Error('The table registry has no row')
  const { revision, partnerIds } = row
  const answer = await ask(disabledPartners.update, { revision, partner_ids: partnerIds })
  if (!answer.ok) throw new Error(`${disabledPartners.update.subject} answered ${answer.code}`)
}

/** Sends webhooks all disabled partners after every change, and every 30 s, from every replica (decisions §46). */
export const startSendingDisabledPartners = (options: SendOptions) => {
  const loop = startLoop({
    name: 'disabled-partners',
    everyMs: REPEAT_MS,
    restMs: REST_MS,
    retryMs: RETRY_MS,
    log: options.log,
    run: () => sendDisabledPartners(options),
  })
  options.changeFeed.onChange(loop.wake)
  return loop
}
