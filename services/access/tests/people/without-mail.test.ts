import { expect, test } from '@jest/globals'
import { createClock } from '@causeway/chassis'
import { newPartner, openFixture } from '../../../gateway/tests/fixtures/running-gateway.ts'
import { newBrowser } from './people-fixture.ts'

test('shows no form and invites nobody where the platform sends no e-mail', async () => {
  const quiet = await openFixture(createClock())
  try {
    const gateway = await quiet.startReplica()
    const { partner } = await newPartner(gateway)
    const page = await newBrowser(gateway).get('/portal/sign-in')
    expect([page.status, page.text.includes('name="email"')]).toEqual([200, false])
    const path = `/partners/${partner.partner_id}/people`
    const invited = await gateway.operate('POST', path, { email: 'ada@shop.example', role: 'owner' })
    expect([invited.code, invited.details]).toEqual([
      'invalid_state',
      [{ resource: 'people', reason: 'mail_not_configured' }],
    ])
  } finally {
    await quiet.close()
  }
})
