import type { Screen } from '../../screen.ts'
import { caseScreens } from './cases/screens.ts'
import { customerScreens } from './customers/screens.ts'
import { cardOrderScreens } from './orders/card.ts'
import { cryptoOrderScreens } from './orders/crypto.ts'
import { overviewScreens } from './overview/screens.ts'
import { payerScreens } from './payers/screens.ts'
import { chargebackScreens } from './queues/chargebacks.ts'
import { deadDeliveryScreens } from './queues/dead-deliveries.ts'
import { parkedEventScreens } from './queues/parked-events.ts'
import { payoutScreens } from './queues/payouts.ts'
import { reconciliationScreens } from './queues/reconciliation.ts'
import { refundScreens } from './queues/refunds.ts'
import { searchScreens } from './search/screens.ts'
import { unattributedMoneyScreens } from './unattributed-money/screens.ts'

/** The daily work of staff: queues, cases, search, and the pages of found records. */
export const workScreens = (hasFourEyes: boolean): readonly Screen[] => [
  ...overviewScreens(hasFourEyes),
  ...caseScreens,
  ...customerScreens,
  ...cryptoOrderScreens(hasFourEyes),
  ...cardOrderScreens,
  ...refundScreens,
  ...unattributedMoneyScreens(hasFourEyes),
  ...reconciliationScreens,
  ...payoutScreens,
  ...chargebackScreens,
  ...deadDeliveryScreens,
  ...parkedEventScreens,
  ...payerScreens,
  ...searchScreens,
]
