import { CAPABILITIES, SCOPES, type Partner, type partners } from '@causeway/contracts'
import type { z } from 'zod'
import { checkboxes, html, textField, type Html } from '../../design/index.ts'
import type { FormState } from '../../form-state.ts'

export type Field = [name: string, value: string]

type PartnerInput = z.input<(typeof partners)['create']['body']>

/** What a partner's form holds for one that exists. */
export const formOfPartner = (partner: Partner): URLSearchParams =>
  new URLSearchParams([
    ['name', partner.name],
    ...partner.scopes.map((scope): Field => ['scopes', scope]),
    ...partner.default_capabilities.map((capability): Field => ['default_capabilities', capability]),
  ])

/** What a new partner's form holds: everything, as the operation takes it where nothing is said. */
export const formOfNewPartner = (): URLSearchParams =>
  new URLSearchParams([
    ...SCOPES.map((scope): Field => ['scopes', scope]),
    ...CAPABILITIES.map((capability): Field => ['default_capabilities', capability]),
  ])

/** The values that are known; the operation refuses a form that somebody made by hand by its other fields. */
export const chosen = <T extends string>(form: URLSearchParams, name: string, known: readonly T[]): T[] =>
  known.filter((value) => form.getAll(name).includes(value))

export const partnerOfForm = (form: URLSearchParams): PartnerInput => ({
  name: form.get('name') ?? '',
  scopes: chosen(form, 'scopes', SCOPES),
  default_capabilities: chosen(form, 'default_capabilities', CAPABILITIES),
})

const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, text: value }))

export const scopeFields = ({ entered, errors }: FormState, label: string): Html =>
  checkboxes({
    name: 'scopes',
    label,
    options: optionsOf(SCOPES),
    values: entered.getAll('scopes'),
    error: errors['scopes'],
  })

export const partnerFields = (state: FormState): Html => {
  const { entered, errors } = state
  return html`${textField({
    name: 'name',
    label: 'Name',
    value: entered.get('name') ?? '',
    error: errors['name'],
    isRequired: true,
  })}
  ${scopeFields(state, 'What its clients may do (scopes)')}
  ${checkboxes({
    name: 'default_capabilities',
    label: 'What its new customers may use (default capabilities)',
    options: optionsOf(CAPABILITIES),
    values: entered.getAll('default_capabilities'),
    error: errors['default_capabilities'],
  })}`
}
