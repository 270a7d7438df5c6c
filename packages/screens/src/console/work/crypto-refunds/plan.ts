import type { RefundPlan } from '@causeway/contracts'
import { definitionList, html, notice, type Html } from '../../../design/index.ts'
import { cryptoAmount, wordsOf } from '../words.ts'

const SENDERS: Readonly<Record<RefundPlan['sent_by'], string>> = {
  signer: 'The platform’s signer, automatically',
  staff: 'Staff, from their own wallet',
}

/** What a refund sends, from where, to whom, who sends it, and what the network takes. @param toAddress null: not named yet */
export const planFacts = (
  plan: RefundPlan,
  {
    toAddress,
    sentBy = plan.sent_by,
  }: Readonly<{ toAddress: string | null; sentBy?: RefundPlan['sent_by'] }>,
): Html => {
  const { amount, asset, network, from_address: from, network_fee: fee, fee_asset: feeAsset, arrives } = plan
  return definitionList([
    { term: 'Amount', value: cryptoAmount(amount, asset, network) },
    { term: 'From the address', value: html`<code>${from}</code>` },
    ...(toAddress === null ? [] : [{ term: 'To the address', value: html`<code>${toAddress}</code>` }]),
    { term: 'Sent by', value: SENDERS[sentBy] },
    ...(sentBy === 'staff'
      ? []
      : [
          {
            term: 'Network fee, at most',
            value: fee === null ? 'Not known now' : `${fee} ${feeAsset ?? ''}`,
          },
          { term: 'Arrives, about', value: arrives === null ? 'Not known now' : `${arrives} ${asset}` },
        ]),
  ])
}

const OBSTACLES: Readonly<Record<string, string>> = {
  no_address_of_an_order:
    'It is in an account that all orders share. Send it from the wallet of that account, then record the refund that staff have sent.',
  unsupported:
    'It cannot send on this network. Send it from its wallet, then record the refund that staff have sent.',
  network_without_node: 'It has no node of this network here.',
  temporarily_unavailable: 'It does not answer now. Load the page again in a moment.',
}

/** Why the signer would not send it now, where it would not. */
export const obstacleNotice = ({ obstacle }: RefundPlan): Html | false =>
  obstacle !== null &&
  notice('warning', 'The signer would not send it now.', OBSTACLES[obstacle] ?? `${wordsOf(obstacle)}.`)
