import { expect, test } from '@jest/globals'
import * as contracts from '@causeway/contracts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

const camelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

type Subjects = Readonly<{ name: string; subjects: readonly string[] }>

const subjectsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? []
    : Object.values(value).flatMap((member: unknown) => {
        const subject = (member as { subject?: unknown } | null | undefined)?.subject
        return typeof subject === 'string' ? [subject] : []
      })

/** Every resource of the contracts with its subjects, without the chassis' own `health`. */
const RESOURCES: readonly Subjects[] = Object.entries(contracts)
  .map(([name, value]) => ({ name, subjects: subjectsIn(value) }))
  .filter(({ subjects }) => subjects.length > 0)

const textOf = (path: string): string =>
  existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : `${path} does not exist`

test.each(RESOURCES)('derives the path of each operation of $name from its subject', ({ name, subjects }) => {
  for (const subject of subjects)
    expect(subject).toMatch(/^[a-z]+\.[a-z\d]+(-[a-z\d]+)*\.[a-z\d]+(-[a-z\d]+)*$/)
  const [service = '', resource = ''] = subjects[0]?.split('.') ?? []
  expect([camelCase(resource), camelCase(`${service}-${resource}`)]).toContain(name)
  expect(textOf(`packages/contracts/src/${service}/${resource}.ts`)).toContain(
    `export const ${name} = resource('${service}.${resource}', {`,
  )
  const operations = textOf(`services/${contracts.receiverOf(`${service}.`)}/src/${resource}/operations.ts`)
  expect(operations).toMatch(new RegExp(`\\bimplement\\(\\s*${name}\\b`))
})

test('checks the resources of all services', () => {
  const services = new Set(RESOURCES.map(({ subjects }) => subjects[0]?.split('.')[0]))
  expect([...services].sort()).toEqual([...contracts.SERVICES, 'gateway'].sort())
})
