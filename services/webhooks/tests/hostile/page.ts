import type { Behaviour, Outcome } from './behaviour.ts'
import { CONNECTIONS } from './connections.ts'
import { FLOODS } from './floods.ts'
import { FRAMING } from './framing.ts'
import { NAMES, NAMES_WITHOUT_END, type NameBehaviour } from './names.ts'
import { SPELLINGS } from './spellings.ts'
import { STALLS } from './stalls.ts'
import { STATUS_CODES } from './status-codes.ts'
import { TLS } from './tls.ts'

const BECOMES = { delivered: 'delivered', waiting: 'tried again', dead: 'dead letter' } as const

const row = (...cells: readonly string[]) => `| ${cells.join(' | ').replaceAll('\n', '\\n')} |`
const table = (head: readonly string[], rows: readonly string[]) =>
  [row(...head), row(...head.map(() => '---')), ...rows].join('\n')

/** Groups the rows of a suite that become one row of the page. */
const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const recordedOf = ({ statusCode, error }: Outcome) =>
  statusCode === null ? String(error) : String(statusCode)
const oneOf = (texts: readonly string[], otherwise: string) =>
  new Set(texts).size === 1 ? (texts[0] as string) : otherwise

const sent = ({ deliveries = 1, requests = deliveries }: Behaviour) =>
  requests > deliveries ? ', after one more request on a fresh connection' : ''

const behaviours = (all: readonly Behaviour[]) =>
  table(
    ['A receiver that', 'Recorded', 'The delivery is'],
    [...grouped(all, (one) => one.row ?? one.receiver)].map(([receiver, group]) => {
      const [first] = group as [Behaviour]
      const recorded = oneOf(
        group.map((one) => recordedOf(one.outcome)),
        'its code',
      )
      return row(receiver, recorded, BECOMES[first.outcome.status] + sent(first))
    }),
  )

const names = (all: readonly NameBehaviour[]) =>
  table(
    ['A receiver whose name', 'Dialled', 'Recorded'],
    [...grouped(all, (one) => one.row ?? one.receiver)].map(([receiver, group]) => {
      const [{ dialled, outcomes }] = group as [NameBehaviour]
      const where =
        dialled.length === 0 ? 'nothing' : dialled.map((address) => `\`${address}\``).join(', then ')
      return row(receiver, where, outcomes.map(recordedOf).join(', then '))
    }),
  )

const spellings = () =>
  table(
    ['Address', 'For example', 'When it is registered', 'When it is in the database all the same'],
    [...grouped(SPELLINGS, (one) => one.what)].map(([what, group]) => {
      const [{ refusal }] = group as [(typeof SPELLINGS)[number]]
      const examples = group.map((one) => `\`${JSON.stringify(one.url).slice(1, -1)}\``).join(' ')
      const stored = refusal === 'invalid_value' ? 'not a URL' : '`forbidden address`, nothing is dialled'
      return row(what, examples, refusal === null ? 'accepted: a name' : `\`${refusal}\``, stored)
    }),
  )

/** The page of what receivers may do, from the tables of the suite that shows it. */
export const renderReceivers = (): string => `# What a receiver may do, and what happens

Every row of this page is a test of \`services/webhooks/tests/hostile\` against a real socket, from whose tables the page
is made (\`pnpm generate:reference\`). "Recorded" is the status code of the attempt, or else its error, as the delivery log shows them;
the first 8 KiB of a body are kept in every case. "Tried again" follows the channel's schedule to its end. While any of
this continues, the same events reach healthy receivers at their first attempt.

In short: the status code decides as soon as its header is complete, and nothing that happens to the body changes it.
No redirect is followed, nothing is unpacked, no more than 256 KiB of an answer is read, and no attempt outlives its
deadline (\`PARTNER_TIMEOUT\`, \`MERCHANT_TIMEOUT\`).

## Status codes

${behaviours(STATUS_CODES)}

## Answers that are put together wrongly

${behaviours(FRAMING)}

## Answers without end, as fast as they are read

${behaviours(FLOODS)}

## Answers that do not end before the deadline

${behaviours(STALLS)}

## Connections that end where they should not

${behaviours(CONNECTIONS)}

## TLS

Certificates are checked against the authorities that Node.js trusts (\`NODE_EXTRA_CA_CERTS\` adds one). TLS 1.2 is the
least.

${behaviours(TLS)}

## Names

A name is resolved for every connection, every address of the answer is checked, and the very address that was checked
is dialled. Addresses on this page stand for any of their kind.

${names([...NAMES, ...NAMES_WITHOUT_END])}

## Spellings of addresses

${spellings()}
`
