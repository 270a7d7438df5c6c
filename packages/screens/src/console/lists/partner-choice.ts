import { partners, type Partner } from '@causeway/contracts'
import { selectField, textField, type Html } from '../../design/index.ts'
import type { StaffRequest } from '../frame.ts'

/** All partners, to choose from; null if they do not fit one page or are temporarily unavailable. */
export const readPartners = async ({
  ask,
}: Pick<StaffRequest, 'ask'>): Promise<readonly Partner[] | null> => {
  const reply = await ask(partners.list, { query: { limit: '100' } })
  return reply.ok && reply.value.next_cursor === null ? reply.value.partners : null
}

/** Renders the field `partner_id` of a filter: a choice of names, or a field for an id where there is no such choice. */
export const partnerField = (
  all: readonly Partner[] | null,
  value: string,
  error: string | undefined,
): Html =>
  all === null || (value !== '' && !all.some((partner) => partner.partner_id === value))
    ? textField({ name: 'partner_id', label: 'Partner id', value, hint: 'Begins with prt_', error })
    : selectField({
        name: 'partner_id',
        label: 'Partner',
        value,
        options: [
          { value: '', text: 'Any' },
          ...all.map(({ partner_id: id, name }) => ({ value: id, text: name })),
        ],
        error,
      })
