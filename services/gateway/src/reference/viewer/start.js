/* global Scalar, document, MutationObserver, requestAnimationFrame */

// Contrast of at least 4.5 to 1, which the viewer's own greys do not have.
const COLOURS = `
.light-mode { --scalar-color-2: #444; --scalar-color-3: #595959; --scalar-color-accent: #0b57d0;
  --scalar-color-green: #0a6b2d; --scalar-color-red: #b3261e; --scalar-color-yellow: #7a4f00;
  --scalar-color-blue: #0b57d0; --scalar-color-orange: #8a3b00; --scalar-color-purple: #6a1b9a; }
.dark-mode { --scalar-color-2: #cfcfcf; --scalar-color-3: #b5b5b5; --scalar-color-accent: #8ab4f8;
  --scalar-color-green: #6fd08c; --scalar-color-red: #ff9c94; --scalar-color-yellow: #ffd479;
  --scalar-color-blue: #8ab4f8; --scalar-color-orange: #ffb27a; --scalar-color-purple: #d7a6ff; }
`

// Forms of request samples that the viewer does not offer. CI runs those that it does: tests/journeys/reference-page.test.ts.
const HIDDEN_SAMPLES = {
  ...Object.fromEntries(
    'c clojure csharp dart fsharp http java julia kotlin node objc ocaml powershell r ruby rust swift'
      .split(' ')
      .map((language) => [language, true]),
  ),
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  php: ['guzzle', 'laravel'],
  python: ['requests', 'aiohttp', 'httpx_sync', 'httpx_async'],
  shell: ['httpie', 'wget'],
}

Scalar.createApiReference('#reference', {
  sources: [
    { title: 'API', slug: 'api', url: '/openapi.json', default: true },
    { title: 'Operator API', slug: 'operator', url: '/openapi.operator.json' },
  ],
  theme: 'default',
  customCss: COLOURS,
  withDefaultFonts: false,
  telemetry: false,
  hiddenClients: HIDDEN_SAMPLES,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})

const set = (element, name, value) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}
const drop = (element, name) => {
  if (element.hasAttribute(name)) element.removeAttribute(name)
}

/** Names and roles that the viewer leaves out, or gives to elements that may not have them. */
const REPAIRS = [
  // A button is not selected; the current one is where the reader is.
  [
    'button[aria-selected]',
    (button) => {
      if (button.getAttribute('role') === 'tab' || button.getAttribute('role') === 'option') return
      if (button.getAttribute('aria-selected') === 'true') set(button, 'aria-current', 'true')
      drop(button, 'aria-selected')
    },
  ],
  ['aside[role=navigation]', (aside) => drop(aside, 'role')],
  ['button[role=search]', (button) => (drop(button, 'role'), set(button, 'aria-label', 'Search'))],
  [
    'button.show-more',
    (button) => {
      const text = button.textContent.trim()
      const label = button.getAttribute('aria-label') ?? ''
      if (!label.includes(text)) set(button, 'aria-label', `${text}: ${label}`)
    },
  ],
  // Its text is shown while the pointer is over it alone.
  ['button[class*=copy-button]', (button) => set(button, 'aria-label', 'Copy')],
  // Several cards of a page have one name.
  ['.scalar-card[role=region], [role=region].scalar-card', (card) => drop(card, 'role')],
  ['ul.endpoints, pre, .scalar-code-block, .custom-scroll', (box) => set(box, 'tabindex', '0')],
]

let waiting = false
const repair = () => {
  waiting = false
  for (const [selector, mend] of REPAIRS) document.querySelectorAll(selector).forEach(mend)
}
new MutationObserver(() => {
  if (waiting) return
  waiting = true
  requestAnimationFrame(repair)
}).observe(document.body, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['aria-selected', 'role'],
})
repair()
