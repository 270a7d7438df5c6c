import type { RefundPlan } from '@causeway/contracts'
import { cryptoAmount, definitionList, html, notice, type Html } from '../../../design/index.ts'
import { wordsOf } from '../words.ts'

const SENDERS: Readonly<Record<RefundPlan['sent_by'], string>> = {
  signer: 'The platform’s signer, automatically',
  staff: 'Staff, from their own wallet',
}

/** Renders the plan of a refund. @param toAddress null if it is not known yet */
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
    { term: 'Source address', value: html`<code>${from}</code>` },
    ...(toAddress === null ? [] : [{ term: 'Refund address', value: html`<code>${toAddress}</code>` }]),
    { term: 'Sent by', value: SENDERS[sentBy] },
    ...(sentBy === 'staff'
      ? []
      : [
          {
            term: 'Maximum network fee',
            value: fee === null ? 'Not known' : `${fee} ${feeAsset ?? ''}`,
          },
          {
            term: 'Estimated amount received',
            value: arrives === null ? 'Not known' : `${arrives} ${asset}`,
          },
        ]),
  ])
}

const OBSTACLES: Readonly<Record<string, string>> = {
  no_address_of_an_order:
    'The money is in an account that all orders share. Send it from that account’s wallet, then record the refund that staff sent.',
  unsupported:
    'The signer does not support this network. Send the refund from the wallet, then record the refund that staff sent.',
  network_without_node: 'The signer has no node for this network.',
  temporarily_unavailable: 'The signer is temporarily unavailable. Load the page again in a moment.',
}

/** Explains why the signer cannot send the refund now; false if it can. */
export const obstacleNotice = ({ obstacle }: RefundPlan): Html | false =>
  obstacle !== null &&
  notice('warning', 'The signer cannot send this refund now.', OBSTACLES[obstacle] ?? `${wordsOf(obstacle)}.`)
