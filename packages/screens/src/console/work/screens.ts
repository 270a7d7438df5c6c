import type { Screen, UploadScreen } from '../../screen.ts'
import { caseScreens } from './cases/screens.ts'
import { customerScreens } from './customers/screens.ts'
import { cardOrderScreens } from './orders/card.ts'
import { cryptoOrderScreens } from './orders/crypto.ts'
import { overviewScreens } from './overview/screens.ts'
import { payerScreens } from './payers/screens.ts'
import { paymentScreens } from './payments/screens.ts'
import { chargebackScreens } from './queues/chargebacks.ts'
import { deadDeliveryScreens } from './queues/dead-deliveries.ts'
import { parkedEventScreens } from './queues/parked-events.ts'
import { payoutWalletScreens } from './queues/payout-wallets.ts'
import { bankStatementScreens, bankStatementUpload } from './queues/bank-statement.ts'
import { paymentFileScreens } from './queues/payment-files.ts'
import { payoutRunScreens } from './queues/payout-run.ts'
import { payoutScreens } from './queues/payouts.ts'
import { reconciliationScreens } from './queues/reconciliation.ts'
import { refundScreens } from './queues/refunds.ts'
import { searchScreens } from './search/screens.ts'
import { unattributedMoneyScreens } from './unattributed-money/screens.ts'

/** The daily work of staff: queues, cases, search, and the pages of found records. */
export const workScreens = (hasFourEyes: boolean, now: () => Date): readonly Screen[] => [
  ...overviewScreens,
  ...caseScreens,
  ...customerScreens,
  ...paymentScreens,
  ...cryptoOrderScreens(hasFourEyes),
  ...cardOrderScreens,
  ...refundScreens,
  ...unattributedMoneyScreens(hasFourEyes),
  ...reconciliationScreens,
  ...payoutScreens(now),
  ...payoutRunScreens,
  ...payoutWalletScreens,
  ...paymentFileScreens,
  ...bankStatementScreens,
  ...chargebackScreens,
  ...deadDeliveryScreens,
  ...parkedEventScreens,
  ...payerScreens,
  ...searchScreens,
]

/** The forms of the daily work that have a file. */
export const workUploads: readonly UploadScreen[] = [bankStatementUpload]
