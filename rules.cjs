/**
 * Boundaries of rules (docs/ARCHITECTURE.md, "Rules"), by what is imported at run time: types do not count. A rule is a
 * file with a test next to it, a file of a folder `rules/`, or a file of one of the names below. Everything that a rule
 * imports, directly or not, neither reads nor writes.
 */
const { existsSync, readdirSync } = require('node:fs')
const { join } = require('node:path')
const { options } = require('./.dependency-cruiser.cjs')

const SERVICES = join(__dirname, 'services')
const testedFiles = readdirSync(SERVICES)
  .filter((service) => existsSync(join(SERVICES, service, 'src')))
  .flatMap((service) =>
    readdirSync(join(SERVICES, service, 'src'), { recursive: true })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => `services/${service}/src/${path.replace(/\.test\.ts$/, '.ts')}`),
  )
  .map((path) => `^${path.replaceAll('.', '\\.')}$`)

module.exports = {
  forbidden: [
    {
      name: 'rules-neither-read-nor-write',
      comment: 'Pass what the rule needs as an argument; its caller reads and writes.',
      severity: 'error',
      from: {
        path: [...testedFiles, '/rules/', '/(domain|rules|policy|events|presentation|columns|config)\\.ts$'],
      },
      to: {
        reachable: true,
        path: [
          '/(operations|reactions|service|main|reencrypt)\\.ts$',
          '[/-](store|job|command)\\.ts$',
          '/(jobs|clients)/',
        ],
      },
    },
  ],
  options: {
    ...options,
    exclude: { path: ['\\.test\\.ts$', '(^|/)(tests|testing|dist)/'] },
    includeOnly: { path: '^services/[^/]+/src/' },
    tsPreCompilationDeps: false,
  },
}
