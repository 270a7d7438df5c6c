import type { PartnerNotice } from '@causeway/contracts'

/** The body of a partner delivery (spec: Partner channel): the same text for every attempt. */
export const partnerEnvelope = (
  event: Readonly<{ id: string; created_at: string }>,
  notice: Pick<PartnerNotice, 'partner_id' | 'type' | 'data'>,
): string =>
  JSON.stringify({
    event_id: event.id,
    event_type: notice.type,
    created_at: event.created_at,
    partner_id: notice.partner_id,
    data: notice.data,
  })
