/** Paths of the pages for daily work. */
export const CONSOLE_PATH = '/console'
export const CASES_PATH = '/console/cases'
export const UNATTRIBUTED_MONEY_PATH = '/console/unattributed-money'
export const RECONCILIATION_PATH = '/console/reconciliation'
export const REFUNDS_PATH = '/console/refunds'
export const DEAD_DELIVERIES_PATH = '/console/dead-deliveries'
export const PARKED_EVENTS_PATH = '/console/parked-events'
export const CHARGEBACKS_PATH = '/console/chargebacks'
export const PAYOUTS_PATH = '/console/payouts'
export const PAYOUT_RUN_PATH = '/console/payouts/run'
export const PAYOUT_WALLETS_PATH = '/console/payout-wallets'
export const PAYMENT_FILES_PATH = '/console/payment-files'
export const BANK_STATEMENT_PATH = '/console/bank-statement'
export const BANK_STATEMENT_FILE_PATH = '/console/bank-statement/file'
export const PENDING_ACTIONS_PATH = '/console/pending-actions'
export const CUSTOMERS_PATH = '/console/customers'
export const CUSTOMERS_FILE_PATH = '/console/customers.csv'
export const PAYMENTS_PATH = '/console/payments'
export const PAYMENTS_FILE_PATH = '/console/payments.csv'
export const PAYERS_PATH = '/console/payers'

export const pendingActionPath = (pendingActionId: string): string =>
  `${PENDING_ACTIONS_PATH}/${pendingActionId}`
export const paymentFilePath = (paymentFileId: string): string => `${PAYMENT_FILES_PATH}/${paymentFileId}`
export const casePath = (verificationId: string): string => `${CASES_PATH}/${verificationId}`
export const customerPath = (partnerCustomerId: string): string => `${CUSTOMERS_PATH}/${partnerCustomerId}`
export const cryptoOrderPath = (orderId: string): string => `/console/orders/${orderId}`
export const cardOrderPath = (orderKey: string): string => `/console/card-orders/${orderKey}`
export const refundPath = (refundId: string): string => `${REFUNDS_PATH}/${refundId}`
export const unattributedMoneyPath = (unattributedMoneyId: string): string =>
  `${UNATTRIBUTED_MONEY_PATH}/${unattributedMoneyId}`
export const documentPath = (documentId: string): string => `/console/documents/${documentId}`
export const parkedEventPath = (event: Readonly<{ consumer: string; event_id: string }>): string =>
  `${PARKED_EVENTS_PATH}/${event.consumer}/${encodeURIComponent(event.event_id)}`
