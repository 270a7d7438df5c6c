import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import type { ServiceName } from '../services.ts'
import { FactId } from './card-facts.ts'

/** Facts of a window at most; one event's facts are never divided. */
export const WINDOW_FACTS = 1_000
/** Facts of one request with their texts: about 150 kB. */
export const FACTS_PER_REQUEST = 200

/** Sequence of an event in its service's outbox. */
const Sequence = z.number().int().min(0)
/** SHA-256 in hex. */
const Digest = z.string().regex(/^[\da-f]{64}$/)

const KeptFact = z.object({ fact_id: FactId, sequence: Sequence, digest: Digest })
/** A fact as its source keeps it: the sequence of its event, and a digest of its text. */
export type KeptFact = z.infer<typeof KeptFact>

/** Sequences greater than `after`, up to `through`. */
const window = z.strictObject({ after: Sequence, through: Sequence })

/** `<service>.ledger-facts`: answered by the chassis in every service that sends facts; the ledger compares them with its own. */
export const factRecordsOf = (service: ServiceName) =>
  resource(`${service}.ledger-facts`, {
    digest: operation({
      summary: 'Get a digest of the facts of the next closed window of sequences',
      caller: 'service',
      services: ['ledger'],
      /** `through` null: up to the last sequence below which nothing can be committed any more. */
      body: z.strictObject({ after: Sequence, through: Sequence.nullable() }),
      reply: z.object({
        /** End of this window. It is before `end` where there are more facts than a window has. */
        through: Sequence,
        end: Sequence,
        facts: z.number().int(),
        digest: Digest,
        /** The server and history of the database; it changes with a restore or a promotion. */
        origin: z.string().nullable(),
      }),
      refusals: ['temporarily_unavailable'],
    }),
    list: operation({
      summary: 'List the facts of a window without their texts',
      caller: 'service',
      services: ['ledger'],
      body: window,
      reply: z.object({ facts: z.array(KeptFact) }),
    }),
    get: operation({
      summary: 'Get facts by their ids; unknown ones are left out',
      caller: 'service',
      services: ['ledger'],
      body: z.strictObject({
        /** `sequence`: that of the event that brought the fact; null if none did. */
        facts: z
          .array(z.strictObject({ fact_id: FactId, sequence: Sequence.nullable() }))
          .max(FACTS_PER_REQUEST),
      }),
      reply: z.object({ facts: z.array(KeptFact.extend({ fact: z.record(z.string(), z.unknown()) })) }),
    }),
  })

/** The services that keep facts. Payments' events carry them too; the signer emits no events. */
export const FACT_SOURCES = ['payments', 'signer'] as const satisfies readonly ServiceName[]
