import { newId, type ServiceContext, type Transaction } from '@causeway/chassis'
import type { CardDispute } from '@causeway/rails'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { canonicalEmail, canonicalIp, maskEmail, maskIp } from '../payers/fingerprints.ts'
import * as cases from '../chargeback-cases/store.ts'
import * as chargebacks from '../chargebacks/store.ts'
import * as standings from './threshold-store.ts'
import { marksOf, type Payer } from '../payers/sealed-payers.ts'

/** Records a new dispute and blocks its payer at this customer (decisions §10). */
export const recordDispute = async (
  tx: Transaction,
  { vault }: Pick<ServiceContext, 'vault'>,
  fact: Readonly<{ order: OpenFiatOrder; dispute: CardDispute; payer: Payer; now: Date }>,
): Promise<void> => {
  const { order, dispute, payer, now } = fact
  const marks = marksOf(vault, payer)
  await tx.query(chargebacks.insert, [
    newId('chargeback'),
    order.partnerId,
    order.partnerCustomerId,
    order.merchantId,
    order.id,
    order.orderKey,
    order.processor,
    dispute.disputeId,
    order.totalCents,
    order.currency,
    dispute.feeCents,
    dispute.feeCurrency,
    dispute.amountCents,
    dispute.currency,
    dispute.disputedAt,
    marks.ip,
    now,
  ])
  await tx.query(standings.countDispute, [order.merchantId, now])
  const open = (kind: 'ip' | 'email', mac: Buffer, masked: string) => {
    const whose = [newId('chargebackCase'), order.partnerId, order.partnerCustomerId]
    return tx.query(cases.open, [...whose, kind, mac, masked, order.orderKey, now])
  }
  const ip = payer.ip === null ? null : canonicalIp(payer.ip)
  if (ip !== null && marks.ip !== null) await open('ip', marks.ip, maskIp(ip))
  if (payer.email !== null && marks.email !== null)
    await open('email', marks.email, maskEmail(canonicalEmail(payer.email)))
}
