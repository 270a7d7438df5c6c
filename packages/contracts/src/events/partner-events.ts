import { z } from 'zod'
import { idOf, Timestamp } from '../primitives.ts'
import { EVENTS } from './declarations.ts'
import { PARTNER_EVENT_TYPES, type PartnerEventType } from './event-names.ts'
import { PARTNER_EVENT_DATA } from './partner-data.ts'

type BodyName = keyof typeof PARTNER_EVENT_DATA
type TypesOf<B extends BodyName> = {
  [T in PartnerEventType]: (typeof EVENTS)[T]['partner']['body'] extends B ? T : never
}[PartnerEventType]

const bodyOf = <B extends BodyName>(name: B) =>
  z.strictObject({
    event_id: idOf('event'),
    event_type: z.enum(
      PARTNER_EVENT_TYPES.filter((type): type is TypesOf<B> => EVENTS[type].partner.body === name),
    ),
    created_at: Timestamp,
    partner_id: idOf('partner'),
    data: PARTNER_EVENT_DATA[name],
  })

type Bodies = { [B in BodyName]: ReturnType<typeof bodyOf<B>> }

/** Body of a delivery to a partner; each serves the types that name it (spec: Partner channel). */
export const PARTNER_EVENTS = Object.fromEntries(
  (Object.keys(PARTNER_EVENT_DATA) as BodyName[]).map((name) => [name, bodyOf(name)]),
) as unknown as Bodies

/** The body of a delivery on the partner channel. */
export const PartnerEvent = z.discriminatedUnion(
  'event_type',
  Object.values(PARTNER_EVENTS) as [Bodies[BodyName], ...Bodies[BodyName][]],
)
export type PartnerEvent = z.infer<typeof PartnerEvent>
