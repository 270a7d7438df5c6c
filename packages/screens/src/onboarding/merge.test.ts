import { describe, expect, test } from '@jest/globals'
import { loadLanguage } from '../languages/language.ts'
import { mergeForm, originals, wasMadeOf } from './merge.ts'
import type { FormField } from './schema-form.ts'

const language = await loadLanguage('en')

const field = (name: string, kind: FormField['kind'], options: readonly string[] = []): FormField => ({
  name,
  kind,
  isRequired: true,
  options,
  maxLength: 10,
  minimum: 25,
  maximum: 100,
})
const FIELDS = [
  field('name', 'text'),
  field('share', 'number'),
  field('country', 'choice', ['DE', 'FR']),
  field('methods', 'choices', ['card', 'crypto']),
  field('news', 'flag'),
]
const STORED = { name: 'Ada', share: 25, country: 'DE', methods: ['card'], news: true }
const ENTERED = { name: 'Ada', share: '25', country: 'DE', methods: 'card', news: 'true' }

/** A form that was made of what is stored, with some fields entered anew. */
const formOf = (entered: Readonly<Record<string, string>>) =>
  new URLSearchParams({ ...originals(FIELDS, STORED), ...ENTERED, ...entered })

describe('a form and what is stored', () => {
  test('writes nothing for an unchanged form, even if another device has changed the stored values', () => {
    const now = { name: 'Grace', share: null, country: 'FR', methods: [], news: false }
    expect(mergeForm(language, FIELDS, formOf({}), now)).toMatchObject({
      changes: {},
      errors: {},
      shown: { name: 'Grace', share: '', country: 'FR', methods: '', news: '' },
    })
  })

  test('writes each changed field as its kind, and clears an emptied one', () => {
    const form = formOf({ name: '', share: '62,5', country: 'FR', methods: 'crypto' })
    form.delete('news')
    expect(mergeForm(language, FIELDS, form, STORED)).toMatchObject({
      changes: { name: null, share: 62.5, country: 'FR', methods: ['crypto'], news: false },
      errors: {},
    })
  })

  test('does not write a field that both have changed, unless both chose the same value', () => {
    const merged = mergeForm(language, FIELDS, formOf({ name: 'Grace', country: 'FR' }), {
      ...STORED,
      name: 'Edith',
      country: 'FR',
    })
    expect(merged).toMatchObject({ changes: {}, shown: { name: 'Grace' } })
    expect(merged.errors).toEqual({ name: expect.stringContaining('“Edith”') })
  })

  test('reports a value that cannot be stored, and saves all others', () => {
    const form = formOf({ name: 'much too long', share: '24', country: 'XX', methods: 'crypto' })
    const merged = mergeForm(language, FIELDS, form, STORED)
    expect(Object.keys(merged.errors)).toEqual(['name', 'share', 'country'])
    expect(merged.changes).toEqual({ methods: ['crypto'] })
  })

  test('ignores line ends that a form control cannot show', () => {
    const now = { ...STORED, name: 'A\nB ' }
    const form = new URLSearchParams({ ...originals(FIELDS, now), ...ENTERED, name: 'A B' })
    expect(mergeForm(language, FIELDS, form, now).changes).toEqual({})
    expect([wasMadeOf(FIELDS, form, now), wasMadeOf(FIELDS, form, STORED)]).toEqual([true, false])
  })
})
