import { html, table, time, type Html } from './design/index.ts'
import type { OwnSession } from './session.ts'

/** Lists the active sessions of the signed-in user. @param endForm renders the form that ends a session */
export const ownSessionsTable = (own: readonly OwnSession[], endForm: (sessionId: string) => Html): Html =>
  html`<section aria-labelledby="own">
    <h2 id="own">Your sessions</h2>
    ${table({
      caption: 'Your active sessions',
      columns: [
        { heading: 'Started', cell: ({ createdAt }) => time(createdAt.toISOString()) },
        { heading: 'Last seen', cell: ({ lastSeenAt }) => time(lastSeenAt.toISOString()) },
        { heading: 'Expires', cell: ({ expiresAt }) => time(expiresAt.toISOString()) },
        { heading: 'Actions', cell: ({ sessionId }) => endForm(sessionId) },
      ],
      rows: own,
      empty: 'You have no active sessions.',
    })}
  </section>`
