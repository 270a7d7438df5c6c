import { html, LIVE_SCRIPTS, livePart, notice, table, taggedStatus, type Html } from '../../design/index.ts'
import { sessionScreen, type Screen } from '../../screen.ts'
import { consolePage, type StaffSession } from '../frame.ts'
import { pageOf } from '../../replies.ts'

const PATH = '/console/health'

/** Which parts answer, as `/readyz` says it. */
export type SystemHealth = Readonly<{ ready: boolean; parts: Readonly<Record<string, boolean>> }>

const PART = { up: ['good', 'Answers'], down: ['bad', 'Does not answer'] } as const

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
        // What the process knows of itself: no operation is asked, and nothing recorded.
        { id: 'parts', isUnderWay: true, mostLooks: Number.MAX_SAFE_INTEGER },
        html`${
          ready
            ? notice('good', 'Every part answers.', 'They are asked again every few seconds.')
            : notice('bad', 'A part does not answer.', 'The operations manual says what to look at first.')
        }
        ${table({
          caption: 'Parts of the platform',
          columns: [
            { heading: 'Part', cell: ([name]) => TEXTS[name] ?? `Service ${name}` },
            { heading: 'State', cell: ([, isUp]) => taggedStatus(PART, isUp ? 'up' : 'down') },
          ],
          rows: Object.entries(parts),
          empty: 'Nothing was asked.',
        })}`,
      )}`,
  })

/** Whether the parts of the platform answer. It shows no data: what the process knows of itself and of the others. */
export const healthScreens = (getHealth: () => Promise<SystemHealth>): readonly Screen[] => [
  sessionScreen('console', {
    method: 'GET',
    path: PATH,
    answer: async ({ session }) => pageOf(healthPage(session, await getHealth())),
  }),
]
