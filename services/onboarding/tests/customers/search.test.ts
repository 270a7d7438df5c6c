import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { newId, queryNone } from '@causeway/chassis'
import { customers, MAX_FOUND_CUSTOMERS, relationships, type CustomerOfPartner } from '@causeway/contracts'
import { newPartner, OPERATOR, startForTests, type RunningOnboarding } from '../running-onboarding.ts'

let onboarding: RunningOnboarding
beforeAll(async () => {
  onboarding = await startForTests()
})
afterAll(() => onboarding.stop())

const found = async (body: object) => {
  const answer = await onboarding.ask(customers.search, OPERATOR, { body })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.customers.map((customer) => customer.partner_customer_id).toSorted()
}

it('finds the customers of all partners by e-mail, external id and merchant for staff, and reads one', async () => {
  const [one, two] = [newPartner(['refunds']), newPartner()]
  const externalId = newId('request')
  const email = `${externalId}@example.com`
  const links = [
    await onboarding.newCustomer(one, externalId, email),
    await onboarding.newCustomer(two, `${externalId}-2`, email.toUpperCase()),
  ]
  const ids = links.map((link) => link.partner_customer_id)
  const [first] = links
  expect(await found({ email })).toEqual(ids.toSorted())
  expect(await found({ customer_id: first?.customer_id })).toEqual(ids.toSorted())
  expect(await found({ external_customer_id: externalId })).toEqual([ids[0]])
  expect(await found({ email: 'nobody@example.com' })).toEqual([])
  const params = { partnerCustomerId: ids[0] ?? '' }
  expect(await onboarding.ask(relationships.getByStaff, OPERATOR, { params })).toMatchObject({
    value: {
      customer: {
        partner_id: one.partnerId,
        external_customer_id: externalId,
        link_confirmed: true,
        suspended_capabilities: [],
        verification: null,
        customer: { email },
      },
    },
  })
  const unknown = { partnerCustomerId: newId('relationship') }
  expect(await onboarding.ask(relationships.getByStaff, OPERATOR, { params: unknown })).toMatchObject({
    code: 'resource_not_found',
  })
  expect(await onboarding.ask(customers.search, OPERATOR, { body: {} })).toMatchObject({
    code: 'invalid_request',
  })
})

const setName = queryNone({
  name: 'test.set-name',
  parameters: { id: 'text', name: 'text' },
  text: 'UPDATE relationships SET customer_name = :name WHERE id = :id',
})

const newNamed = async (name: string) => {
  const externalId = newId('request')
  const customer = await onboarding.newCustomer(newPartner(), externalId, `${externalId}@example.com`)
  await setName(onboarding.db, { id: customer.partner_customer_id, name })
  return customer.partner_customer_id
}

const pageByName = async (body: object) => {
  const answer = await onboarding.ask(customers.search, OPERATOR, { body })
  if (!answer.ok) throw new Error(answer.code)
  const { customers: found, next_cursor: next } = answer.value
  return {
    names: found.map(({ customer }) => customer.name),
    ids: found.map((one) => one.partner_customer_id),
    next,
  }
}

it('finds customers by the beginning of their name in any case, in alphabetical order, and no other names', async () => {
  for (const name of ['Zeta Ops', 'zeta bakery', 'ZETA OPS', 'Zeta%', 'Zet', 'A Zeta']) await newNamed(name)
  const { names, ids, next } = await pageByName({ name: 'zEtA' })
  expect(names.map((each) => each?.toLowerCase())).toEqual(['zeta bakery', 'zeta ops', 'zeta ops', 'zeta%'])
  expect([new Set(ids).size, next]).toEqual([4, null])
  expect((await pageByName({ name: 'zeta%' })).names).toEqual(['Zeta%'])
  expect((await pageByName({ name: 'zeta_' })).names).toEqual([])
})

it('continues a search by name where the page before ended, and refuses the cursor of another search', async () => {
  const all = new Set<string>()
  for (let number = 0; number <= MAX_FOUND_CUSTOMERS; number += 1) all.add(await newNamed('Same Name'))
  const first = await pageByName({ name: 'same' })
  const second = await pageByName({ name: 'same', cursor: first.next })
  expect([first.ids.length, second.ids.length, second.next]).toEqual([MAX_FOUND_CUSTOMERS, 1, null])
  expect(new Set([...first.ids, ...second.ids])).toEqual(all)
  const refused = (body: object) => onboarding.ask(customers.search, OPERATOR, { body })
  expect(await refused({ name: 'other', cursor: first.next })).toMatchObject({ code: 'invalid_cursor' })
  expect(await refused({ email: 'ada@example.com', cursor: first.next })).toMatchObject({
    code: 'invalid_request',
  })
  expect(await refused({ email: 'ada@example.com', name: 'same' })).toMatchObject({ code: 'invalid_request' })
})

it('adds similar names to the first page of a search by name, the most similar first', async () => {
  const [johnson, inside] = [await newNamed('Johnson Clockworks'), await newNamed('Old Jonson & Sons')]
  await newNamed('Quixotic Xylophones')
  const search = async (name: string) => {
    const answer = await onboarding.ask(customers.search, OPERATOR, { body: { name } })
    if (!answer.ok) throw new Error(answer.code)
    const idsOf = (rows: readonly CustomerOfPartner[] = []) => rows.map((row) => row.partner_customer_id)
    return [idsOf(answer.value.customers), idsOf(answer.value.similar)]
  }
  expect(await search('JONSON')).toEqual([[], [inside, johnson]])
  expect(await search('Johnson')).toEqual([[johnson], [inside]])
  expect(await search('Jonson Clockwroks')).toEqual([[], [johnson]])
  expect(await search('%')).toEqual([[], []])
  const other = await onboarding.ask(customers.search, OPERATOR, {
    body: { external_customer_id: 'Johnson' },
  })
  expect(other).toMatchObject({ value: { customers: [], next_cursor: null } })
  expect(other).not.toHaveProperty('value.similar')
})

it('lists the names of customers and merchants by id for staff, without those that have none', async () => {
  const [first, second] = [newPartner(), newPartner()]
  const email = `${newId('request')}@example.com`
  const zoe = await onboarding.newCustomer(first, newId('request'), email)
  const adam = await onboarding.newCustomer(second, newId('request'), email)
  const nameless = await onboarding.newCustomer(first, newId('request'), `${newId('request')}@example.com`)
  await setName(onboarding.db, { id: zoe.partner_customer_id, name: 'Zoë & Co' })
  await setName(onboarding.db, { id: adam.partner_customer_id, name: 'Adam Ltd' })
  const ids = [
    ...[zoe.partner_customer_id, zoe.partner_customer_id, zoe.customer_id],
    ...[nameless.partner_customer_id, nameless.customer_id, newId('relationship'), newId('merchant')],
  ]
  const answer = await onboarding.ask(customers.listNames, OPERATOR, { body: { ids } })
  const names = answer.ok ? new Map(answer.value.names.map(({ id, name }) => [id, name])) : null
  expect(names).toEqual(
    new Map([
      [zoe.partner_customer_id, 'Zoë & Co'],
      [zoe.customer_id, 'Adam Ltd'],
    ]),
  )
})

it('refuses more than 100 ids, ids of another kind, and callers other than staff, who would list names', async () => {
  const many = Array.from({ length: 101 }, () => newId('merchant'))
  for (const ids of [many, [newId('partner')], ['cus_1'], 'all'])
    expect(await onboarding.ask(customers.listNames, OPERATOR, { body: { ids } })).toMatchObject({
      code: 'invalid_request',
    })
  const one = { body: { ids: [newId('merchant')] } }
  expect(await onboarding.ask(customers.listNames, newPartner(), one)).toMatchObject({ ok: false })
})
