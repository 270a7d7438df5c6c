import { html, linkButton, page, type Html } from './design/index.ts'

/**
 * Renders the page at the root of the platform, for people who open it in a browser.
 * @param consoleUrl where staff sign in; null where the console has a host that this page does not name
 */
export const homePage = (consoleUrl: string | null): Html =>
  page({
    title: 'Causeway: partner payments and merchant onboarding',
    width: 'narrow',
    main: html`
      <h1>Partner payments and merchant onboarding</h1>
      <p>
        One API for partner platforms: onboard and verify merchants, take crypto and card payments for them,
        refund them, and pay them out. Every change reaches you as a signed webhook.
      </p>
      <section class="sheet" aria-labelledby="build">
        <h2 id="build">Build on the API</h2>
        <p>Every operation and event with an example, and guides from the first token on.</p>
        <p class="actions">
          ${linkButton('/docs', 'API reference')} ${linkButton('/docs/start', 'Get started', 'quiet')}
        </p>
        <p class="hint">
          <a href="/docs/tour">Tour</a> · <a href="/docs/receiving">Receiving webhooks</a> ·
          <a href="/docs/errors">Errors</a> · <a href="/openapi.json">OpenAPI document</a>
        </p>
      </section>
      <section class="sheet" aria-labelledby="portal">
        <h2 id="portal">Partners and merchants</h2>
        <p>Payments, balances, payouts, and the log of your webhooks.</p>
        <p class="actions">${linkButton('/portal', 'Open the portal', 'quiet')}</p>
      </section>
      ${
        consoleUrl !== null &&
        html`<section class="sheet" aria-labelledby="console">
          <h2 id="console">Staff</h2>
          <p>Reviews, refunds, payouts, and everything else that this platform’s operators do.</p>
          <p class="actions">${linkButton(consoleUrl, 'Sign in', 'quiet')}</p>
        </section>`
      }
      <p class="hint">Status: <a href="/readyz">which parts of the platform respond</a> (JSON).</p>
    `,
  })
