/**
 * The operator's commands in the image, under the names that they have in the repository, such as
 * "docker compose run --rm --no-deps payments command.js chains:check". Each runs with the settings of its service.
 */
const COMMANDS = {
  'audit:export': ['services/access/src/audit/command.ts', 'export'],
  'audit:verify': ['services/access/src/audit/command.ts', 'verify'],
  'chains:balances': ['services/payments/src/chain-commands/balances-command.ts'],
  'chains:check': ['services/payments/src/chain-commands/check-command.ts'],
  'ledger:differences': ['services/ledger/src/comparison/command.ts'],
  'ledger:rebuild': ['services/ledger/src/rebuild/command.ts'],
  'ledger:verify': ['services/ledger/src/verification/command.ts'],
  'projections:rebuild:onboarding': ['services/onboarding/src/relationship-state/rebuild-command.ts'],
  'projections:rebuild:payments': ['services/payments/src/projected-states/rebuild-command.ts'],
  'reencrypt:gateway': ['services/access/src/reencrypt.ts'],
  'reencrypt:ledger': ['services/ledger/src/reencrypt.ts'],
  'reencrypt:onboarding': ['services/onboarding/src/reencrypt.ts'],
  'reencrypt:payments': ['services/payments/src/reencrypt.ts'],
  'reencrypt:refunds': ['services/refunds/src/reencrypt.ts'],
  'reencrypt:webhooks': ['services/webhooks/src/reencrypt.ts'],
  'signing-keys:rotate': ['services/access/src/signing-keys/rotate-command.ts'],
  'signer:sweep': ['services/signer/src/sweeps/command.ts'],
  'signer:verify': ['services/signer/src/record/command.ts'],
}

const [name = '', ...given] = process.argv.slice(2)
const [file, ...first] = COMMANDS[name] ?? []
if (file === undefined) {
  process.stderr.write(`Usage: command.js ${Object.keys(COMMANDS).join('|')}\n`)
  process.exit(1)
}
process.argv.splice(2, process.argv.length, ...first, ...given)
await import(new URL(file, `file://${process.cwd()}/`).href)
