import { html, LIVE_SCRIPTS, livePart, notice, table, taggedStatus, type Html } from '../../design/index.ts'
import { sessionScreen, type Screen } from '../../screen.ts'
import { consolePage, type StaffSession } from '../frame.ts'
import { pageOf } from '../../replies.ts'

const PATH = '/console/health'

/** Which parts of the platform are up, as in `/readyz`. */
export type SystemHealth = Readonly<{ ready: boolean; parts: Readonly<Record<string, boolean>> }>

const PART = { up: ['good', 'Up'], down: ['bad', 'Down'] } as const

const TEXTS: Readonly<Record<string, string>> = {
  bus: 'Message bus (NATS)',
  database: 'Database of the gateway',
}

export const healthPage = (session: StaffSession, { ready, parts }: SystemHealth): Html =>
  consolePage({
    session,
    current: PATH,
    title: ready ? 'Health' : 'Not healthy',
    scripts: LIVE_SCRIPTS,
    main: html`<h1>Health</h1>
      ${livePart(
        // Unlimited polling is safe: it calls no operation, so the audit log records nothing.
        { id: 'parts', isUnderWay: true, mostLooks: Number.MAX_SAFE_INTEGER },
        html`${
          ready
            ? notice('good', 'All parts are up.', 'This page updates every few seconds.')
            : notice('bad', 'A part is down.', 'See the operations manual for what to check first.')
        }
        ${table({
          caption: 'Parts of the platform',
          columns: [
            { heading: 'Part', cell: ([name]) => TEXTS[name] ?? `Service ${name}` },
            { heading: 'State', cell: ([, isUp]) => taggedStatus(PART, isUp ? 'up' : 'down') },
          ],
          rows: Object.entries(parts),
          empty: 'No parts to show.',
        })}`,
      )}`,
  })

/** The health page of the platform's parts, from the readiness check of the process. */
export const healthScreens = (getHealth: () => Promise<SystemHealth>): readonly Screen[] => [
  sessionScreen('console', {
    method: 'GET',
    path: PATH,
    answer: async ({ session }) => pageOf(healthPage(session, await getHealth())),
  }),
]
