import { z } from 'zod'
import { agreements } from '../onboarding/agreements.ts'
import { paymentFiles } from '../ledger/payment-files.ts'
import { reports } from '../ledger/reports.ts'
import { brands } from '../onboarding/brands.ts'
import { documents } from '../onboarding/documents.ts'
import { cryptoOrders } from '../payments/crypto-orders.ts'
import { bytes, relayedPath } from './public-path.ts'

/**
 * Files that need no credential: QR images of orders, published agreements, logos, and documents, reports and payment
 * files by a short-lived URL (decisions §5, §6, §9, §48, §50 and §53).
 */
export const filePaths = {
  qrImage: relayedPath('GET', '/qr/:file', cryptoOrders.getQrImage, {
    tag: 'Files',
    params: z.object({ file: z.string().meta({ description: '`<orderId>.png`' }) }),
    answer: bytes('The image', 'image/png'),
  }),
  agreement: relayedPath('GET', '/agreements/:agreementId/:contentHash', agreements.getDocument, {
    tag: 'Files',
    answer: bytes('The document; its path contains its SHA-256'),
  }),
  logo: relayedPath('GET', '/logos/:contentHash', brands.getLogo, {
    tag: 'Files',
    answer: bytes('The image', 'image/png'),
  }),
  document: relayedPath('GET', '/downloads/:token', documents.getDownload, {
    tag: 'Files',
    answer: bytes('The document, as an attachment'),
  }),
  report: relayedPath('GET', '/downloads/reports/:token', reports.getFile, {
    tag: 'Files',
    answer: bytes('The report, as an attachment'),
  }),
  paymentFile: relayedPath('GET', '/downloads/payment-files/:token', paymentFiles.getFile, {
    tag: 'Files',
    answer: bytes('The payment file, as an attachment', 'application/xml'),
  }),
}
