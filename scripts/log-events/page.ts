import { logEventsOf, type LogEvent } from './log-events.ts'
import { readSources } from './sources.ts'

const FOLDERS = [
  'packages/chassis/src',
  'packages/rails/src',
  ...['access', 'gateway', 'onboarding', 'payments', 'refunds', 'webhooks', 'onramp', 'ledger', 'signer'].map(
    (name) => `services/${name}/src`,
  ),
  'sandbox/src',
]

/** Codes that no log call has as a literal (`http/observer.ts` of the gateway, `action-log.ts` of the chassis). */
export const COMPUTED_CODES = ['http.request', 'secret.created', 'secret.rotated', 'secret.revoked'] as const

/** Every log event of the product whose code is a literal. */
export const readLogEvents = async (root: string): Promise<LogEvent[]> =>
  logEventsOf((await Promise.all(FOLDERS.map((folder) => readSources(root, folder)))).flat())

/** Renders the page that lists every log event, from the source code. */
export const renderLogEvents = async (root: string): Promise<string> =>
  [
    '# Log events',
    `Generated from the code by \`pnpm generate:reference\`. Each line of a log has its code as \`event\`; what to do about those that matter to an operator is in [OPERATIONS.md](../OPERATIONS.md#event-codes). The gateway also logs ${COMPUTED_CODES.map((code) => `\`${code}\``).join(', ')} (level info).`,
    ['| Event | Level | Message | Part |', '| --- | --- | --- | --- |']
      .concat(
        (await readLogEvents(root)).map(
          ({ code, levels, messages, part }) =>
            `| \`${code}\` | ${levels.join(', ')} | ${messages.join('; ').replaceAll('|', '\\|')} | ${part} |`,
        ),
      )
      .join('\n'),
    '',
  ].join('\n\n')
