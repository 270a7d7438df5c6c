import type { Screen } from '../screen.ts'
import { agreementScreens } from './agreements/screens.ts'
import { auditScreens } from './audit/screens.ts'
import { checkoutScreens } from './checkouts/screens.ts'
import { clientScreens } from './clients/screens.ts'
import { healthScreens, type SystemHealth } from './health/screens.ts'
import { merchantScreens } from './merchants/screens.ts'
import { partnerScreens } from './partners/screens.ts'
import { pendingActionScreens } from './pending-actions/screens.ts'
import { peopleScreens } from './people/screens.ts'
import { sessionScreens } from './sessions/screens.ts'
import { signInScreens } from './sign-in.ts'
import { webhookScreens } from './webhooks/screens.ts'
import { workScreens } from './work/screens.ts'

export type ConsoleOptions = Readonly<{
  /** Whether some actions need two persons: then those that wait are a queue. */
  hasFourEyes: boolean
  /** Whether staff sign in at an identity provider. */
  hasProvider: boolean
  /** Which parts of the platform answer, as the readiness of the process says it. */
  getHealth: () => Promise<SystemHealth>
}>

/** The screens of staff (decisions §22). */
export const consoleScreens = ({
  hasFourEyes,
  hasProvider,
  getHealth,
}: ConsoleOptions): readonly Screen[] => [
  ...signInScreens(hasProvider),
  ...workScreens(hasFourEyes),
  ...pendingActionScreens,
  ...partnerScreens,
  ...clientScreens,
  ...merchantScreens,
  ...checkoutScreens,
  ...webhookScreens,
  ...agreementScreens,
  ...peopleScreens,
  ...sessionScreens,
  ...auditScreens,
  ...healthScreens(getHealth),
]
