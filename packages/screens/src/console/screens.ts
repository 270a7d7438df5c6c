import type { Screen, UploadScreen } from '../screen.ts'
import { agreementScreens } from './agreements/screens.ts'
import { auditScreens } from './audit/screens.ts'
import { bookScreens, bookUploads } from './books/screens.ts'
import { checkoutScreens } from './checkouts/screens.ts'
import { clientScreens } from './clients/screens.ts'
import { figureScreens } from './figures.ts'
import { findMerchantScreens } from './find-merchant/screens.ts'
import { healthScreens, type SystemHealth } from './health/screens.ts'
import { merchantScreens } from './merchants/screens.ts'
import { partnerScreens } from './partners/screens.ts'
import { pendingActionScreens } from './pending-actions/screens.ts'
import { pricePlanScreens } from './price-plans/screens.ts'
import { ownerPeopleScreens } from './owner-people.ts'
import { peopleScreens } from './people/screens.ts'
import { sessionScreens } from './sessions/screens.ts'
import { signInScreens } from './sign-in.ts'
import { ownerWebhookScreens } from './webhooks.ts'
import { workScreens, workUploads } from './work/screens.ts'

export type ConsoleOptions = Readonly<{
  /** True if the setting names actions that need two people. */
  hasFourEyes: boolean
  /** True if staff sign in through an identity provider. */
  hasProvider: boolean
  /** Returns which parts of the platform are up, from the readiness check. */
  getHealth: () => Promise<SystemHealth>
}>

/** The screens of staff (decisions §22). */
export const consoleScreens = (
  { hasFourEyes, hasProvider, getHealth }: ConsoleOptions,
  now: () => Date,
): readonly Screen[] => [
  ...signInScreens(hasProvider),
  ...workScreens(hasFourEyes, now),
  ...pendingActionScreens,
  ...partnerScreens,
  ...clientScreens,
  ...merchantScreens,
  ...findMerchantScreens,
  ...checkoutScreens,
  ...ownerWebhookScreens,
  ...ownerPeopleScreens(now),
  ...figureScreens(now),
  ...bookScreens,
  ...pricePlanScreens,
  ...agreementScreens,
  ...peopleScreens,
  ...sessionScreens,
  ...auditScreens,
  ...healthScreens(getHealth),
]

/** The forms of staff that have a file. */
export const consoleUploads: readonly UploadScreen[] = [...workUploads, ...bookUploads]
