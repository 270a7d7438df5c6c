import { html, table, time, type Html } from './design/index.ts'
import type { OwnSession } from './session.ts'

/** The live sessions of the people who look at them. @param endForm ends the session with an id */
export const ownSessionsTable = (own: readonly OwnSession[], endForm: (sessionId: string) => Html): Html =>
  html`<section aria-labelledby="own">
    <h2 id="own">Yours</h2>
    ${table({
      caption: 'Your live sessions',
      columns: [
        { heading: 'Since', cell: ({ createdAt }) => time(createdAt.toISOString()) },
        { heading: 'Last seen', cell: ({ lastSeenAt }) => time(lastSeenAt.toISOString()) },
        { heading: 'Ends', cell: ({ expiresAt }) => time(expiresAt.toISOString()) },
        { heading: 'Actions', cell: ({ sessionId }) => endForm(sessionId) },
      ],
      rows: own,
      empty: 'There is no session.',
    })}
  </section>`
