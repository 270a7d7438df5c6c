import { newId, type ServiceContext, type Transaction } from '@causeway/chassis'
import type { CardDispute } from '@causeway/rails/cards'
import * as cases from '../chargeback-cases/store.ts'
import type { OpenFiatOrder } from '../fiat-orders/domain.ts'
import { canonicalEmail, canonicalIp, fingerprintsOf, maskEmail, maskIp } from '../payers/fingerprints.ts'
import type { Payer } from '../payers/sealed-payers.ts'
import { insertChargeback } from './store.ts'
import { scheduleAfterDispute } from './threshold-store.ts'

/** Records a new dispute and blocks its payer at this customer (decisions §10). */
export const recordDispute = async (
  tx: Transaction,
  { vault }: Pick<ServiceContext, 'vault'>,
  disputed: Readonly<{ order: OpenFiatOrder; dispute: CardDispute; payer: Payer; now: Date }>,
): Promise<void> => {
  const { order, dispute, payer, now } = disputed
  const fingerprints = fingerprintsOf(vault, payer)
  const { partnerId, partnerCustomerId, merchantId, orderKey } = order
  await insertChargeback(tx, {
    id: newId('chargeback'),
    partnerId,
    partnerCustomerId,
    merchantId,
    orderId: order.id,
    orderKey,
    processor: order.processor,
    disputeId: dispute.disputeId,
    orderTotalCents: order.totalCents,
    orderCurrency: order.currency,
    feeCents: dispute.feeCents,
    feeCurrency: dispute.feeCurrency,
    disputedCents: dispute.amountCents,
    disputedCurrency: dispute.currency,
    disputedAt: dispute.disputedAt,
    ipMac: fingerprints.ip,
    now,
  })
  await scheduleAfterDispute(tx, { merchantId, now })
  const open = (kind: 'ip' | 'email', valueMac: Buffer, valueMasked: string) => {
    const opened = { id: newId('chargebackCase'), kind, valueMac, valueMasked, now }
    return cases.open(tx, { ...opened, partnerId, partnerCustomerId, orderKey })
  }
  const ip = payer.ip === null ? null : canonicalIp(payer.ip)
  if (ip !== null && fingerprints.ip !== null) await open('ip', fingerprints.ip, maskIp(ip))
  if (payer.email !== null && fingerprints.email !== null)
    await open('email', fingerprints.email, maskEmail(canonicalEmail(payer.email)))
}
