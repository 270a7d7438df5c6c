import type { Schemas } from '@causeway/client'
import type { Command } from 'commander'
import { actWith, type Context } from '../context.ts'
import type { Columns } from '../output/table.ts'
import { time } from '../output/values.ts'
import { onboard } from '../trigger/onboarding.ts'
import { take, limitOption } from './options.ts'

type Customer = Schemas['Customer']

const COLUMNS: Columns<Customer> = {
  CUSTOMER: (row) => row.partner_customer_id,
  'EXTERNAL ID': (row) => row.external_customer_id,
  EMAIL: (row) => row.customer.email,
  STATUS: (row) => row.relationship_status,
  CREATED: (row) => time(row.created_at),
}

/** `causeway customers`. */
export const addCustomers = (program: Command, context: Context): void => {
  const customers = program
    .command('customers')
    .description('your customers: the merchants that you have linked')

  customers
    .command('list')
    .description('list customers, oldest first')
    .addOption(limitOption())
    .addHelpText(
      'after',
      '\nExamples:\n  causeway customers list\n  causeway customers list --limit 500 --json',
    )
    .action(
      actWith<{ limit: number }>(context, async (session, { options, output }) => {
        output.list(COLUMNS, await take(session.partner().listCustomers.all(), options.limit))
      }),
    )

  customers
    .command('show')
    .description('show a customer and its capabilities')
    .argument('<customer>', 'customer id, pcu_…')
    .addHelpText('after', '\nExample:\n  causeway customers show pcu_01m801ke2kfvnarpgmy7edev97')
    .action(
      actWith(context, async (session, { args: [customerId = ''], output }) => {
        const partner = session.partner()
        const { customer, ...relationship } = await partner.getCustomer({ customerId })
        const { capabilities } = await partner.listCapabilities({ customerId })
        const shown = capabilities.map(({ capability, available, reason }): [string, string] => [
          capability,
          available ? 'available' : `not available: ${String(reason)}`,
        ])
        output.one(
          output.isJson
            ? { ...relationship, customer, capabilities }
            : {
                ...relationship,
                email: customer.email,
                name: customer.name,
                country: customer.country,
                ...Object.fromEntries(shown),
              },
        )
      }),
    )

  customers
    .command('create')
    .description('link a merchant; repeating the id and e-mail address returns the same customer')
    .requiredOption('--external-id <id>', 'your id of the customer')
    .requiredOption('--email <address>', 'e-mail address that identifies the merchant')
    .addHelpText(
      'after',
      '\nExample:\n  causeway customers create --external-id shop-1 --email ada@example.com',
    )
    .action(
      actWith<{ externalId: string; email: string }>(context, async (session, { options, output }) => {
        const body = { external_customer_id: options.externalId, email: options.email }
        const { customer, ...relationship } = await session.partner().createCustomer({ body })
        output.one(output.isJson ? { ...relationship, customer } : { ...relationship, email: customer.email })
      }),
    )

  customers
    .command('onboard')
    .description('verify a customer with sample data and approve it, in a sandbox')
    .argument('<customer>', 'customer id, pcu_…')
    .addHelpText('after', '\nExample:\n  causeway customers onboard pcu_01m801ke2kfvnarpgmy7edev97')
    .action(
      actWith(context, async (session, { args: [customerId = ''], output }) => {
        const approved = await onboard(session.partner(), session.staff(), customerId)
        output.one(approved, `${customerId} is verified.`)
      }),
    )
}
