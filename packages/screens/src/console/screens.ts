import { html } from '../design/index.ts'
import { sessionScreen, type Screen } from '../screen.ts'
import { consolePage } from './frame.ts'
import { signInScreens } from './sign-in.ts'

/** The screens of staff (decisions §22). */
export const consoleScreens = (): readonly Screen[] => [
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
]
