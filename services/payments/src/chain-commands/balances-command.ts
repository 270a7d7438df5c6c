/** `pnpm chains:balances`: lists what the addresses of orders hold, for bookkeeping. */
import { parseArgs } from 'node:util'
import { listBalances } from './balances.ts'

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      from: { type: 'string', default: '1' },
      to: { type: 'string', default: '1000' },
      all: { type: 'boolean', default: false },
    },
  })
  const range = {
    networks: positionals,
    from: Number(values.from),
    to: Number(values.to),
    withEmpty: values.all,
  }
  await listBalances(
    process.env,
    range,
    (line) => console.log(line),
    (line) => console.error(line),
  )
} catch (error) {
  console.error(`chains:balances: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
