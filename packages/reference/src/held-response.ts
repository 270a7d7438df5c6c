import { pendingActions } from '@causeway/contracts'
import type { Reference, Response } from './document.ts'
import { shown, type Examples } from './examples.ts'
import type { Schemas } from './json-schema.ts'
import { successSchema } from './responses.ts'

/** The answer to an action of staff that waits for a second person (decisions §14), written once for all of them. */
export const HELD_REFERENCE: Reference = { $ref: '#/components/responses/Held' }

export const heldResponse = (
  schemas: Schemas,
  { operations }: Examples,
): Readonly<Record<'Held', Response>> => ({
  Held: {
    description:
      'Nothing has changed yet: a second person must confirm the action (FOUR_EYES, and every write-off)',
    content: {
      'application/json': {
        schema: successSchema(schemas, pendingActions.get.reply),
        ...shown(operations['setSuspension']?.responses['202']),
      },
    },
  },
})
