import { html } from '../design/index.ts'
import { sessionScreen, type Screen } from '../screen.ts'
import { auditScreens } from './audit/screens.ts'
import { clientScreens } from './clients/screens.ts'
import { consolePage } from './frame.ts'
import { healthScreens, type SystemHealth } from './health/screens.ts'
import { merchantScreens } from './merchants/screens.ts'
import { partnerScreens } from './partners/screens.ts'
import { peopleScreens } from './people/screens.ts'
import { signInScreens } from './sign-in.ts'
import { webhookScreens } from './webhooks/screens.ts'

export type ConsoleOptions = Readonly<{
  /** Which parts of the platform answer, as the readiness of the process says it. */
  getHealth: () => Promise<SystemHealth>
}>

/** The screens of staff (decisions §22). */
export const consoleScreens = ({ getHealth }: ConsoleOptions): readonly Screen[] => [
  ...signInScreens,
  sessionScreen('console', {
    method: 'GET',
    path: '/console',
    answer: ({ session }) =>
      Promise.resolve({
        kind: 'page',
        status: 200,
        html: consolePage({ session, title: 'Work', current: '/console', main: html`<h1>Work</h1>` }),
      }),
  }),
  ...partnerScreens,
  ...clientScreens,
  ...merchantScreens,
  ...webhookScreens,
  ...peopleScreens,
  ...auditScreens,
  ...healthScreens(getHealth),
]
