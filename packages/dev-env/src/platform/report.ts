import { relative } from 'node:path'
import type { Platform } from './platform.ts'

const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
}

/** The addresses and credentials that `pnpm start` prints. */
export const report = (platform: Platform): string => {
  const rows = [
    ['Process', 'Pid', 'Port', 'Health'],
    ...platform.servers.map(({ name, pid, port }) => [name, String(pid), String(port), '']),
    ...[...platform.replicas.values()].map(({ name, pid, port }) => {
      const publicUrl = { gateway: platform.baseUrl, sandbox: platform.sandboxUrl }[name]
      const health = `http://127.0.0.1:${port}/${name === 'sandbox' ? 'healthz' : 'readyz'}`
      return [name, String(pid), publicUrl === undefined ? '' : new URL(publicUrl).port, health]
    }),
  ]
  const folder = relative(process.cwd(), platform.dataDir) || '.'
  const facts = [
    ['Base URL', platform.baseUrl],
    ['Sandbox URL', platform.sandboxUrl],
    ['Operator key', platform.operatorKey],
    ...(platform.partner === null
      ? [
          [
            'Client',
            'none: with keys in FOUR_EYES a second person confirms every partner (/console/partners)',
          ],
        ]
      : [
          ['Client id', platform.partner.clientId],
          ['Client secret', platform.partner.clientSecret],
        ]),
    ['Data and logs', `${folder}, ${folder}/logs`],
  ]
  return ['', ...table(rows), '', ...table(facts), '', 'Causeway is up. Ctrl-C stops it.'].join('\n')
}
