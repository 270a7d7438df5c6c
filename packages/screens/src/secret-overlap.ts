import { selectField, type Html } from './design/index.ts'

/** Hours for which both secrets sign, by the value of the field; null: the former one stops at once. */
export const OVERLAPS: Readonly<Record<string, number | null>> = { '24': 24, '72': 72, '1': 1, now: null }

const OPTIONS = [
  { value: '24', text: 'For 24 hours' },
  { value: '72', text: 'For 72 hours' },
  { value: '1', text: 'For one hour' },
  { value: 'now', text: 'No longer: others may know it' },
]

/** Asks whoever makes a new secret of a webhook how long the former one should sign too. */
export const overlapField = (): Html =>
  selectField({
    name: 'overlap',
    label: 'How long should the former secret sign too?',
    hint: 'If others may know it, let it stop at once: until the receiver knows the new one, deliveries fail and are tried again',
    value: '24',
    isRequired: true,
    options: OPTIONS,
  })
