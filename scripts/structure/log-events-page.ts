import { logEventsOf } from './log-events.ts'
import { readSources } from './sources.ts'

const FOLDERS = [
  'packages/chassis/src',
  'packages/rails/src',
  ...['gateway', 'onboarding', 'payments', 'refunds', 'webhooks', 'onramp'].map(
    (name) => `services/${name}/src`,
  ),
  'sandbox/src',
]

/** Renders the page that lists every log event, from the source code. */
export const renderLogEvents = async (root: string): Promise<string> => {
  const files = (await Promise.all(FOLDERS.map((folder) => readSources(root, folder)))).flat()
  return [
    '# Log events',
    'Generated from the code by `pnpm generate:reference`. Each line of a log has its code as `event`; what to do about those that matter to an operator is in [OPERATIONS.md](../OPERATIONS.md#event-codes).',
    ['| Event | Level | Message | Part |', '| --- | --- | --- | --- |']
      .concat(
        logEventsOf(files).map(
          ({ code, levels, messages, part }) =>
            `| \`${code}\` | ${levels.join(', ')} | ${messages.join('; ').replaceAll('|', '\\|')} | ${part} |`,
        ),
      )
      .join('\n'),
    '',
  ].join('\n\n')
}
